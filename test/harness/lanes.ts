/** Something that can be run, perhaps after something else. */
export interface Step {
  /** What has to have ended before, in whatever lane it is; nothing, when that is not run at all. */
  readonly needs?: Step;
}

/**
 * Runs the lanes side by side, the steps of a lane one after the other. Resolves when all have ended.
 * A step whose `run` rejects ends its lane; what needs it does not begin.
 */
export async function runLanes<S extends Step>(
  lanes: readonly (readonly S[])[],
  run: (step: S) => Promise<void>,
): Promise<void> {
  const all = lanes.flat();
  const ended = new Map<Step, PromiseWithResolvers<void>>(all.map((step) => [step, Promise.withResolvers()]));
  const runLane = async (lane: readonly S[]): Promise<void> => {
    for (const step of lane) {
      const before = step.needs && ended.get(step.needs);
      if (before) await before.promise;
      const end = ended.get(step);
      try {
        await run(step);
        end?.resolve();
      } catch (error) {
        // Whoever waits for it hears of it, and so does whoever runs the lanes.
        end?.promise.catch(() => {});
        end?.reject(error);
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(lanes.map(runLane));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
