import type { ErrorData } from '../../core/errors/data/error-data.ts';
import { errorFromData } from '../../core/errors/data/error-from-data.ts';
import type { RealmLink } from '../transport/link.ts';
import type { LoadParams } from '../wire/methods/realm-methods.ts';
import { Connection } from './connection.ts';
import type { WatchLimits } from './watch.ts';

/** What the realms of tools are made with. */
export interface RealmMaker {
  /** Starts a realm. `name` is for whoever looks at a list of threads. */
  launch(name: string): RealmLink;
  /** One will be launched soon: it may start by then. */
  prepare?(): void;
  readonly limits: WatchLimits;
  /** Hears what went wrong beside a call. */
  diagnose(message: string, cause?: unknown): void;
}

/**
 * One version of one tool file, and the realm that runs its tools: started with the first call, ended when it has had
 * nothing to do for a while, started afresh when it has crashed.
 */
export class ToolHome {
  /** The author's file. */
  readonly file: string;
  readonly #maker: RealmMaker;
  readonly #load: LoadParams;
  #serial = 0;
  #current: { readonly connection: Connection; readonly loaded: Promise<Connection> } | undefined;
  #retired = false;

  /** @param realm one that has loaded the file already */
  constructor(maker: RealmMaker, file: string, load: LoadParams, realm?: Connection) {
    if (realm) this.#current = { connection: realm, loaded: Promise.resolve(realm) };
    this.file = file;
    this.#maker = maker;
    this.#load = load;
  }

  /** A number that no realm of this home has heard: one that has ended and the one after it never mean different things by it. */
  nextSerial(): number {
    return ++this.#serial;
  }

  /** A realm that has loaded the file. @throws what the file throws; `RealmEndedError` */
  connect(): Promise<Connection> {
    if (this.#current === undefined || this.#current.connection.closed) this.#current = this.#start();
    return this.#current.loaded;
  }

  /** Another version has taken its place: its realm ends with its last call. */
  retire(): void {
    this.#retired = true;
    this.#current?.connection.retire();
  }

  #start() {
    const { launch, limits, diagnose } = this.#maker;
    const connection = new Connection(launch(this.file), limits, diagnose);
    const loaded = load(connection, this.#load);
    const done = connection.work();
    // Those who wait for it have their turn first.
    const settled = () => void setImmediate(done);
    loaded.then(settled, () => {
      connection.retire();
      settled();
    });
    // A call that still goes to an old version gets a realm that ends with it.
    if (this.#retired) void loaded.then(() => setImmediate(() => connection.retire())).catch(() => {});
    return { connection, loaded };
  }
}

/** @throws what a file throws */
async function load(connection: Connection, order: LoadParams): Promise<Connection> {
  let failure: Error | undefined;
  const threw = ({ error }: { error: ErrorData }) => {
    failure = errorFromData(error);
  };
  await connection.ask('load', order, { handlers: { threw } });
  if (failure) throw failure;
  return connection;
}
