import { nameOfStep } from './decoded.ts';
import { isObject } from './is-object.ts';

/** What a JSON Pointer in a fragment leads to. Source: RFC 6901. */
export function pointed(root: unknown, ref: string): unknown {
  const steps = ref.startsWith('#') ? ref.split('/').slice(1) : [''];
  return steps.reduce<unknown>((at, step) => {
    const name = nameOfStep(step);
    return isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }, root);
}
