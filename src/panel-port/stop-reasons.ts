/**
 * Why a call was stopped, in words that a model reads too: to it “you” would be the model itself. The page says them to the
 * person.
 */
export const stopReasons = {
  byPerson: 'the user stopped it',
  byAgent: 'the agent was stopped',
  byCaller: 'the caller stopped it',
  /** Over MCP. */
  byClient: 'the client cancelled it',
} as const;
