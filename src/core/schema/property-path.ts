/** `a.b[].c` for the path of keywords that a converter reports. */
export function propertyPath(path: ReadonlyArray<string | number>): string {
  let text = '';
  for (let i = 0; i < path.length; i++) {
    const step = path[i];
    if (step === 'properties') {
      const name = String(path[++i] ?? '');
      text += text === '' ? name : `.${name}`;
    } else if (step === 'items' || step === 'prefixItems') text += '[]';
    else if (step === 'additionalProperties') text += '.*';
  }
  return text;
}
