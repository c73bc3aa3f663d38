const modelCodes = ['SAMPLING_NO_MODEL', 'SAMPLING_REFUSED', 'SAMPLING_QUOTA'];

/** Whether an error is about which model is asked: something that choosing another one may mend. */
export function isAboutModel(code: string | undefined): boolean {
  return code !== undefined && modelCodes.includes(code);
}
