/**
 * What `work` comes to, if it does so in time.
 * @param what what was waited for, in words
 * @param shown what can be seen meanwhile, asked for when it is too late
 * @throws Error that says both
 */
export async function within<T>(
  milliseconds: number,
  what: string,
  work: Promise<T>,
  shown: () => string | Promise<string> = () => '',
): Promise<T> {
  const late = Promise.withResolvers<'late'>();
  const timer = setTimeout(() => late.resolve('late'), milliseconds);
  try {
    const first = await Promise.race([work.then((value) => ({ value })), late.promise]);
    if (first !== 'late') return first.value;
  } finally {
    clearTimeout(timer);
  }
  throw new Error([`Within ${milliseconds / 1000} s there was no ${what}.`, await shown()].join('\n').trim());
}
