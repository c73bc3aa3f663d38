/** The oldest Node that this runs on, as in `engines` of the package. */
const OLDEST = { major: 22, minor: 13 };

/** What to say where Node is too old: what is newer fails later, and half way. @param version such as `22.13.0` */
export function tooOldNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > OLDEST.major || (major === OLDEST.major && minor >= OLDEST.minor)) return undefined;
  return `Parley needs Node ${OLDEST.major}.${OLDEST.minor} or newer, and this is Node ${version}. Install a newer one, or run it with: npx -p node@24 -p parley-mcp parley-mcp`;
}
