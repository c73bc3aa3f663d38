import { useEffect, useState } from 'react';
import {
  type CallInfo,
  type CallStatus,
  durationText,
  type Head,
  stop,
  type Timer,
  wholeDurationText,
} from '../src/panel-port/index.ts';
import { usePage } from './page/page-context.ts';
import { Button } from './parts/button.tsx';
import { Codicon } from './parts/icon.tsx';
import { t } from './parts/l10n.ts';

/** The call at a glance: which tool, its state and for how long, and the way out. */
export function Header({ head, headAt }: { head: Head; headAt: number }) {
  const page = usePage();
  const { call } = head;
  const live = call.status === 'running' || call.status === 'waiting';
  return (
    <header className="header">
      <div className="header-inner">
        <Codicon name={call.icon ?? 'tools'} className="header-icon" />
        <div className="header-names">
          <h1 className="header-title" dir="auto" title={call.summary ?? call.description ?? call.toolName}>
            {call.title}
          </h1>
          {call.server !== undefined && <OfServer name={call.server} />}
          {call.asker && <AskedFor {...call.asker} />}
        </div>
        <Status head={head} headAt={headAt} />
        {live && (
          <Button
            secondary
            className="header-stop"
            title={t('Stop this call')}
            onClick={() => page.post(stop({}))}
          >
            <Codicon name="debug-stop" />
            {t('Stop')}
          </Button>
        )}
      </div>
    </header>
  );
}

/** Whose tool it is: a title is what a server says, and may be that of a tool of ours. */
function OfServer({ name }: { name: string }) {
  return (
    <p className="header-asker">
      <Codicon name="mcp" className="header-asker-icon" />
      <span>{t('Tool of the MCP server “{0}”', name)}</span>
    </p>
  );
}

/** Who asked for the call: by the name that the person knows, with what it says of itself beside it. */
function AskedFor({ name, icon, says }: NonNullable<CallInfo['asker']>) {
  return (
    <p className="header-asker">
      <Codicon name={icon} className="header-asker-icon" />
      <span>{t('Started by {0}', name)}</span>
      {says !== undefined && <bdi className="header-says">{t('(it says: {0})', says)}</bdi>}
    </p>
  );
}

const statuses = (): Record<CallStatus, { icon: string; label: string }> => ({
  preparing: { icon: 'edit', label: t('Not started') },
  running: { icon: 'loading', label: t('Running') },
  waiting: { icon: 'circle-filled', label: t('Waiting for you') },
  completed: { icon: 'pass-filled', label: t('Done') },
  failed: { icon: 'error', label: t('Failed') },
  aborted: { icon: 'circle-slash', label: t('Stopped') },
});

/** Of these the time stands beside the status. */
const TIMED: ReadonlySet<CallStatus> = new Set(['running', 'waiting', 'failed', 'aborted']);

function Status({ head, headAt }: { head: Head; headAt: number }) {
  const { call } = head;
  const live = call.status === 'running' || call.status === 'waiting';
  const now = head.clock.now + Math.max(0, useNow(live) - headAt);
  const { icon, label } = statuses()[call.status];
  const spins = call.status === 'running' ? 'codicon-modifier-spin' : '';
  return (
    <div className={`status status-${call.refused ? 'refused' : call.status}`}>
      <Codicon name={call.refused ? 'pass' : icon} className={`status-icon ${spins}`} />
      {call.status === 'completed' ? (
        <span title={explain(head, now)}>{t('Done in {0}', durationText(head.clock.machine.total))}</span>
      ) : (
        <span>{label}</span>
      )}
      {TIMED.has(call.status) && (
        <span className="status-time" title={explain(head, now)}>
          {live ? liveTime(head, now) : totalTime(head)}
        </span>
      )}
    </div>
  );
}

/** How long the person has been asked, or the call has been at work. */
function liveTime({ call, clock, stage }: Head, now: number): string {
  const asked = call.status === 'waiting' && stage.kind === 'question';
  return wholeDurationText(
    asked ? now - stage.question.openedAt : elapsed(clock.machine, now) + elapsed(clock.human, now),
  );
}

/** How long a call was there that ended before it was done. */
function totalTime({ call: { startedAt, endedAt }, clock: { machine, human } }: Head): string {
  const lasted = startedAt === undefined || endedAt === undefined ? undefined : endedAt - startedAt;
  return durationText(lasted ?? machine.total + human.total);
}

function explain({ clock }: Head, now: number): string {
  return t(
    'The tool ran for {0} and waited {1} for you',
    wholeDurationText(elapsed(clock.machine, now)),
    wholeDurationText(elapsed(clock.human, now)),
  );
}

/** Milliseconds that a timer shows at `now` (the host's clock). */
function elapsed(timer: Timer, now: number): number {
  return timer.total + (timer.since === undefined ? 0 : Math.max(0, now - timer.since));
}

/** The page's clock, drawn anew each second while `ticking`. */
function useNow(ticking: boolean): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    setNow(Date.now());
    if (!ticking) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [ticking]);
  return now;
}
