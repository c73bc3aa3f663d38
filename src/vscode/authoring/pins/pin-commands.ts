import type { Operation } from 'effection';
import type { ToolRegistry } from '../../../workspace/registry/registry.ts';
import { commands } from '../../ids.ts';
import { useCommand } from '../../use-command.ts';
import { listedToolOf } from '../tools/tool-node.ts';
import type { Pins } from './pins.ts';

/** Pins tools in the Tools view, and puts them in order by the keyboard; the mouse drags them. */
export function* usePinCommands(pins: Pins, registry: Pick<ToolRegistry, 'get'>): Operation<void> {
  // What is pinned and not there now has no row to change places with.
  const move = (name: string, by: -1 | 1) => {
    const other = pins.beside(name, by, (one) => registry.get(one) !== undefined);
    if (other !== undefined) pins.swap(name, other);
  };
  const on = (work: (name: string) => void) =>
    function* (node?: unknown): Operation<void> {
      const name = typeof node === 'string' ? node : listedToolOf(node)?.registered.name;
      if (name !== undefined) work(name);
    };
  yield* useCommand(
    commands.pinTool,
    on((name) => pins.put(name)),
  );
  yield* useCommand(
    commands.unpinTool,
    on((name) => pins.remove(name)),
  );
  yield* useCommand(
    commands.movePinUp,
    on((name) => move(name, -1)),
  );
  yield* useCommand(
    commands.movePinDown,
    on((name) => move(name, 1)),
  );
}
