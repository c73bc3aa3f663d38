/** Names of things that hold a secret: keys of data, variables, settings. The one list of them. */
const SECRET_NAME =
  /pass(?:word|phrase|wd)?$|secret|api[-_]?key|authorization|cookie|credential|bearer|private[-_]?key|access[-_]?key|(?:^|[-_]|access|refresh|id|auth|session|bot)token$/i;

/** Whether what goes by this name is a secret, and belongs neither into a log nor onto a disk. */
export function namesSecret(name: string): boolean {
  return SECRET_NAME.test(name);
}
