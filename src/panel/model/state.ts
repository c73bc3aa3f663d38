import type {
  CallInfo,
  Pause,
  Question,
  RenderedView,
  Stage,
  StageOf,
  TimelineRow,
  Timer,
} from '../../panel-port/index.ts';

/** The stages that end a call. */
export type EndedStage = Extract<Stage, { kind: 'result' | 'error' | 'aborted' }>;

/**
 * Everything a run panel shows, whether a page is open or not. Immutable: {@link reduce} makes the next one, and what did
 * not change keeps its identity, so that a patch holds only what did.
 */
export interface PanelState {
  readonly call: CallInfo;
  readonly timers: { readonly machine: Timer; readonly human: Timer };
  /** The last rows, in order of index. */
  readonly rows: readonly TimelineRow[];
  readonly nextIndex: number;
  /** The form for the parameters, until the call starts. */
  readonly parameters: StageOf<'parameters'> | undefined;
  /** The open question. A call has one at most. */
  readonly question: Question | undefined;
  readonly end: EndedStage | undefined;
  /** Why the call does not simply go on. */
  readonly pause: Pause | undefined;
  /** A view that is shown without being waited for. */
  readonly shown: RenderedView | undefined;
  /** Index of the row of each ask, by its id. */
  readonly askRows: ReadonlyMap<string, number>;
  /** Index of the row of progress that is not done, by depth. */
  readonly progressRows: ReadonlyMap<number, number>;
  /** Questions asked so far. */
  readonly questions: number;
  /** Asks that wait for a person: the machine's clock stands while there is one. */
  readonly waiting: ReadonlySet<string>;
  /** Asks whose answers are kept from an earlier call, and when that began. */
  readonly kept: ReadonlyMap<string, number>;
  /** Whether the person may go back to what they answered. */
  readonly goesBack: boolean;
}

/** A panel for a call that has not started. */
export function initialState(
  call: Omit<CallInfo, 'status' | 'startedAt' | 'endedAt'>,
  { goesBack = true }: { readonly goesBack?: boolean } = {},
): PanelState {
  return {
    goesBack,
    call: { ...call, status: 'preparing' },
    timers: { machine: { total: 0 }, human: { total: 0 } },
    rows: [],
    nextIndex: 0,
    parameters: undefined,
    question: undefined,
    end: undefined,
    pause: undefined,
    shown: undefined,
    askRows: new Map(),
    progressRows: new Map(),
    questions: 0,
    waiting: new Set(),
    kept: new Map(),
  };
}
