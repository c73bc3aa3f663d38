import { createSignal, ensure, type Operation, race, scoped } from 'effection';
import * as vscode from 'vscode';
import { defined } from '../../../core/schema/defined.ts';
import type { RegisteredTool } from '../../../workspace/registry/registered-tool.ts';
import { nextOf, useDisposable, useSubscription } from '../../bridge.ts';
import { byTitle, lineFor, titleOf } from '../../calls/call-entry.ts';
import { toolIcon } from '../../calls/panel/tabs/tool-icon.ts';
import { createLastParameters } from '../../calls/parameters/last-parameters.ts';
import { createRecentTools } from '../../calls/parameters/recent-tools.ts';
import { useShown } from '../../calls/pick/hold-keyboard.ts';
import { accepted, nothingAfter } from '../../calls/pick/pick-one.ts';
import { plainItem } from '../../calls/pick/plain-item.ts';
import type { ToolPort } from '../../calls/run/tool-port.ts';
import { useEdge, useExtension } from '../../contexts.ts';
import { setContextKey } from '../../set-context-key.ts';
import { createPins } from '../pins/pins.ts';
import { ownFirst } from '../tools/own-first.ts';

interface ToolItem extends vscode.QuickPickItem {
  readonly registered?: RegisteredTool;
}

/** A tool that was picked. */
export interface PickedTool {
  readonly registered: RegisteredTool;
  /** It is to run with the parameters that it had last: Alt+Enter, or the button of its row. */
  readonly withLast?: boolean;
}

/** What the list of tools offers. */
export interface PickToolOptions {
  /** Which tools are listed; all when absent. */
  readonly offers?: ((registered: RegisteredTool) => boolean) | undefined;
  /** Tools can be taken together with the parameters that they had last. */
  readonly withLast?: boolean;
}

/** Takes the row of the open list as Alt+Enter does. The list of VS Code knows of no key but Enter, so a command is bound to it. */
export function takeWithLast(): void {
  taken.send();
}

const taken = createSignal<void, never>();

/** Lets the person pick one of these tools; the list follows the registry while it is open. Nothing comes back on Escape. */
export function pickTool(tools: ToolPort, options: PickToolOptions = {}): Operation<PickedTool | undefined> {
  return scoped(() => showList(tools, options));
}

function* showList(
  tools: ToolPort,
  { offers = () => true, withLast = false }: PickToolOptions,
): Operation<PickedTool | undefined> {
  const { registry } = tools;
  const { workspaceState } = yield* useExtension();
  const last = createLastParameters(workspaceState);
  const hasLast = (name: string) => withLast && last.get(name) !== undefined;
  const first = {
    pinned: createPins(workspaceState).list(),
    recent: createRecentTools(workspaceState).list(),
  };
  const pick = yield* useDisposable(() => vscode.window.createQuickPick<ToolItem>());
  pick.placeholder = vscode.l10n.t('Choose a tool to run');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  const update = () => {
    // Where the person has not moved yet, the first of what comes now is the one.
    const [at] = pick.activeItems;
    const moved = at !== pick.items.find(({ registered }) => registered !== undefined);
    const active = moved ? at?.registered?.name : undefined;
    pick.items = itemsOf(tools, offers, first, hasLast);
    pick.busy = tools.loading();
    const again = pick.items.find(({ registered }) => registered && (!moved || registered.name === active));
    if (again) pick.activeItems = [again];
  };
  update();
  yield* useSubscription(() => registry.subscribe(update));
  yield* useSubscription(() => tools.subscribe(update));
  const closed = yield* useShown(pick);
  if (withLast) yield* usePicking();
  const picked = yield* race([
    accepted(pick, ({ registered }) => registered !== undefined),
    ...(withLast ? [acceptedWithLast(pick)] : []),
    nothingAfter(closed),
  ]);
  return picked?.registered && { ...picked, registered: picked.registered };
}

/** Says to keybindings that the list is open, for as long as it is. */
function* usePicking(): Operation<void> {
  const edge = yield* useEdge();
  const set = (open: boolean) =>
    edge.fork('the context key of the list of tools', () => setContextKey('parley.pickingTool', open));
  set(true);
  yield* ensure(() => {
    set(false);
  });
}

/** The row that Alt+Enter or its own button takes. */
function* acceptedWithLast(pick: vscode.QuickPick<ToolItem>): Operation<Partial<PickedTool>> {
  const registered = yield* race([
    (function* () {
      const takes = yield* taken;
      for (;;) {
        yield* takes.next();
        const [active] = pick.activeItems;
        if (active?.registered) return active.registered;
      }
    })(),
    (function* () {
      const { item } = yield* nextOf(pick.onDidTriggerItemButton);
      return item.registered;
    })(),
  ]);
  return { ...defined({ registered }), withLast: true };
}

/** What is pinned comes first, then what was run last, then each source's tools by title, those of the workspace before others. */
function itemsOf(
  tools: ToolPort,
  offers: (registered: RegisteredTool) => boolean,
  { pinned, recent }: Readonly<Record<'pinned' | 'recent', readonly string[]>>,
  hasLast: (name: string) => boolean,
): ToolItem[] {
  const listed = tools.registry.list().filter(offers);
  if (listed.length === 0) {
    return [{ label: tools.loading() ? vscode.l10n.t('Loading tools…') : whyNone(), alwaysShow: true }];
  }
  const named = (names: readonly string[]) =>
    names.flatMap((name) => listed.find((registered) => registered.name === name) ?? []);
  const pins = named(pinned);
  const last = named(recent).filter((registered) => !pins.includes(registered));
  const others = listed.filter((registered) => !pins.includes(registered) && !last.includes(registered));
  const groups = [
    ...(pins.length > 0 ? [[vscode.l10n.t('Pinned'), pins] as const] : []),
    ...(last.length > 0 ? [[vscode.l10n.t('Recent'), last] as const] : []),
    ...Map.groupBy(ownFirst(byTitle(others)), ({ source }) => source.label),
  ];
  return groups.flatMap(([source, registered]) => [
    { label: plainItem(source), kind: vscode.QuickPickItemKind.Separator },
    ...registered.map((one) => itemOf(one, hasLast(one.name))),
  ]);
}

function whyNone(): string {
  return vscode.workspace.isTrusted
    ? vscode.l10n.t('There are no tools yet')
    : vscode.l10n.t('The tools of this workspace run code. Trust the workspace to use them.');
}

function itemOf(registered: RegisteredTool, hasLast: boolean): ToolItem {
  const { tool } = registered;
  const title = titleOf(tool);
  return {
    label: plainItem(title),
    iconPath: toolIcon(tool),
    ...(title === tool.name ? {} : { description: tool.name }),
    detail: plainItem(lineFor(tool)),
    ...(hasLast ? { buttons: [withLastButton()] } : {}),
    registered,
  };
}

function withLastButton(): vscode.QuickInputButton {
  return {
    iconPath: new vscode.ThemeIcon('debug-rerun'),
    tooltip: vscode.l10n.t('Run with Last Parameters (Alt+Enter)'),
  };
}
