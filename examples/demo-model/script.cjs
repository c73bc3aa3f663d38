/**
 * What the model is to say next, and what it was asked. Replies put here are used before any the model thinks of
 * itself, in order, one a request.
 */
exports.createScript = () => {
  let replies = [];
  let requests = [];
  return {
    add(more) {
      replies.push(...(Array.isArray(more) ? more : [more]));
    },
    /** A reply that calls tools waits for a request that has some. */
    next: (request) =>
      replies[0]?.toolCalls !== undefined && request.tools.length === 0 ? undefined : replies.shift(),
    /** Notes a request and returns its entry; its `state` is kept up to date by the provider. */
    note(request) {
      const entry = { ...request, state: 'running' };
      requests.push(entry);
      return entry;
    },
    requests: () => requests,
    reset() {
      replies = [];
      requests = [];
    },
  };
};
