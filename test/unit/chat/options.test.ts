import { expect, it } from 'vitest';
import { createChatEngine } from '#src/chat/engine.ts';
import { createChatHandler } from '#src/chat/http.ts';

it('an engine does not run calls unasked because its confirm is misspelt', () => {
  const make = () => createChatEngine({ *confirms() {} } as never);
  expect(make).toThrow(
    "createChatEngine knows no option 'confirms': it knows manager, calls, tools, model, waiting,",
  );
});

it('a handler refuses an option that it does not know', () => {
  const make = () => createChatHandler({} as never, { maxBytes: 3 } as never);
  expect(make).toThrow("createChatHandler knows no option 'maxBytes': it knows scope, maxBody");
});
