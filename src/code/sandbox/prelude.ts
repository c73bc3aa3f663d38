/**
 * What runs in a sandbox before any code of a model does. It takes the only way out with it (`send`, which takes text), so that
 * nothing of it can be reached from `globalThis`, and keeps its own copies of what it uses: code that changes prototypes harms
 * itself alone.
 */
export const PRELUDE = `(function (send) {
  'use strict';
  const { parse, stringify } = JSON;
  const { apply, construct } = Reflect;
  const { then } = Promise.prototype;
  const { join } = Array.prototype;
  const Settling = Promise;
  const Failure = Error;
  const text = String;
  const define = Object.defineProperty;
  const waiting = { __proto__: null };
  let last = 0;

  function call(tool, args) {
    return new Settling((resolve, reject) => {
      const json = args === undefined ? '{}' : stringify(args);
      if (typeof json !== 'string') throw new TypeError('the arguments of ' + tool + ' are not JSON');
      const id = ++last;
      // Each by itself: making one JSON of them would ask toJSON of the code, which could say something else.
      const refusal = send('call', json, tool, id);
      if (refusal !== undefined) throw new Failure(refusal);
      waiting[id] = { resolve, reject };
    });
  }

  function failure([name, message, code]) {
    const error = new Failure(message);
    define(error, 'name', { value: name, configurable: true, writable: true });
    if (code !== null) error.code = code;
    return error;
  }

  function settle(id, ok, json) {
    const { resolve, reject } = waiting[id];
    delete waiting[id];
    if (ok === 'yes') resolve(json === '' ? undefined : parse(json));
    else reject(failure(parse(json)));
  }

  function described(thrown) {
    if (thrown instanceof Failure) {
      const stack = typeof thrown.stack === 'string' ? thrown.stack : '';
      return text(thrown.name) + ': ' + text(thrown.message) + (stack === '' ? '' : '\\n' + stack);
    }
    return shown(thrown);
  }

  function shown(value) {
    if (typeof value === 'string') return value;
    if (value instanceof Failure) return described(value);
    if (typeof value === 'object' && value !== null) {
      try {
        return stringify(value, undefined, 2) ?? text(value);
      } catch {
        return text(value);
      }
    }
    return text(value);
  }

  function finish(promise) {
    apply(then, new Settling((resolve) => resolve(promise)), [
      (value) => {
        try {
          send('returned', stringify(value) ?? '');
        } catch (thrown) {
          send('threw', 'What the code returns is not JSON: ' + described(thrown));
        }
      },
      (thrown) => send('threw', described(thrown)),
    ]);
  }

  const functions = { __proto__: null };
  const tools = new Proxy(
    { __proto__: null },
    {
      get(_, name) {
        // Code that awaits it, or makes text of it, does not mean a tool.
        if (typeof name !== 'string' || name === 'then' || name === 'toJSON') return undefined;
        return (functions[name] ??= (args) => call(name, args));
      },
      set: () => false,
      defineProperty: () => false,
      setPrototypeOf: () => false,
    },
  );
  define(globalThis, 'tools', { value: tools, enumerable: true });

  const line = (...values) => {
    for (let at = 0; at < values.length; at++) values[at] = shown(values[at]);
    send('line', apply(join, values, [' ']));
  };
  const console = { log: line, info: line, debug: line, warn: line, error: line };
  define(globalThis, 'console', { value: console, writable: true, configurable: true });

  const noClock = () => {
    throw new Failure('there is no clock in here: take the time from a tool, or write it into the code');
  };
  const Timeless = new Proxy(Date, {
    apply: noClock,
    construct: (date, args, target) => (args.length === 0 ? noClock() : construct(date, args, target)),
  });
  define(Date, 'now', { value: noClock, configurable: true, writable: true });
  define(Date.prototype, 'constructor', { value: Timeless, configurable: true, writable: true });
  define(globalThis, 'Date', { value: Timeless, configurable: true, writable: true });

  delete globalThis.SharedArrayBuffer;

  return [settle, finish];
})`;
