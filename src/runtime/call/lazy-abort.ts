/** An abort signal that costs nothing until somebody asks for it. */
export interface LazyAbort {
  /** The same one each time; aborted already when that is past. */
  signal(): AbortSignal;
  abort(): void;
}

/** A signal that is made when somebody first wants it: most calls never do. */
export function createLazyAbort(): LazyAbort {
  let controller: AbortController | undefined;
  let aborted = false;
  return {
    signal() {
      controller ??= new AbortController();
      if (aborted) controller.abort();
      return controller.signal;
    },
    abort() {
      aborted = true;
      controller?.abort();
    },
  };
}
