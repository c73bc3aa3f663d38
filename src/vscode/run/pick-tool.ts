import { type Operation, race, scoped } from 'effection';
import * as vscode from 'vscode';
import type { RegisteredTool } from '../../workspace/registry/registered-tool.ts';
import { useDisposable, useSubscription } from '../bridge.ts';
import { saidOf, titleOf } from '../calls/call-entry.ts';
import { createRecentTools } from '../calls/parameters/recent-tools.ts';
import { useShown } from '../commands/hold-keyboard.ts';
import { accepted, nothing } from '../commands/pick-one.ts';
import { useHome } from '../contexts.ts';
import { createPins } from '../pins/pins.ts';
import { toolIcon } from '../trees/tool-icon.ts';
import type { ToolPort } from '../workspace/tool-port.ts';

interface ToolItem extends vscode.QuickPickItem {
  readonly registered?: RegisteredTool;
}

/** Lets the person pick one of these tools; the list follows the registry while it is open. Nothing comes back on Escape. */
export function pickTool(
  tools: ToolPort,
  offers: (registered: RegisteredTool) => boolean = () => true,
): Operation<RegisteredTool | undefined> {
  return scoped(() => showList(tools, offers));
}

function* showList(
  tools: ToolPort,
  offers: (registered: RegisteredTool) => boolean,
): Operation<RegisteredTool | undefined> {
  const { registry } = tools;
  const { workspaceState } = yield* useHome();
  const first = {
    pinned: createPins(workspaceState).list(),
    recent: createRecentTools(workspaceState).list(),
  };
  const pick = yield* useDisposable(() => vscode.window.createQuickPick<ToolItem>());
  pick.placeholder = vscode.l10n.t('Pick a tool to run');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const update = () => {
    const active = pick.activeItems[0]?.registered?.name;
    pick.items = itemsOf(tools, offers, first);
    pick.busy = tools.loading();
    const again = pick.items.find((item) => item.registered && item.registered.name === active);
    if (again) pick.activeItems = [again];
  };
  update();
  yield* useSubscription(() => registry.subscribe(update));
  yield* useSubscription(() => tools.subscribe(update));
  const closed = yield* useShown(pick);
  const picked = yield* race([accepted(pick, ({ registered }) => registered !== undefined), nothing(closed)]);
  return picked?.registered;
}

/** What is pinned comes first, then what was run last, then each source's tools. */
function itemsOf(
  tools: ToolPort,
  offers: (registered: RegisteredTool) => boolean,
  { pinned, recent }: Readonly<Record<'pinned' | 'recent', readonly string[]>>,
): ToolItem[] {
  const listed = tools.registry.list().filter(offers);
  if (listed.length === 0) {
    const label = tools.loading() ? vscode.l10n.t('Loading tools…') : vscode.l10n.t('There are no tools yet');
    return [{ label, alwaysShow: true }];
  }
  const named = (names: readonly string[]) =>
    names.flatMap((name) => listed.find((registered) => registered.name === name) ?? []);
  const pins = named(pinned);
  const last = named(recent).filter((registered) => !pins.includes(registered));
  const others = listed.filter((registered) => !pins.includes(registered) && !last.includes(registered));
  const groups = [
    ...(pins.length > 0 ? [[vscode.l10n.t('Pinned'), pins] as const] : []),
    ...(last.length > 0 ? [[vscode.l10n.t('Recent'), last] as const] : []),
    ...Map.groupBy(others, ({ source }) => source.label),
  ];
  return groups.flatMap(([source, registered]) => [
    { label: source, kind: vscode.QuickPickItemKind.Separator },
    ...registered.map(itemOf),
  ]);
}

function itemOf(registered: RegisteredTool): ToolItem {
  const { tool } = registered;
  const title = titleOf(tool);
  return {
    label: title,
    iconPath: toolIcon(tool),
    ...(title === tool.name ? {} : { description: tool.name }),
    detail: saidOf(tool),
    registered,
  };
}
