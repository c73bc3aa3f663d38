/** What {@link ProgressBar} takes. */
export interface ProgressBarProps {
  /** With `total`: so many of so many. Without: a fraction from 0 to 1. Absent: nobody knows how far. */
  readonly value: number | undefined;
  readonly total: number | undefined;
  readonly label: string;
}

/** How far something is; a moving band where nobody knows. */
export function ProgressBar({ value, total, label }: ProgressBarProps) {
  const fraction = fractionOf(value, total);
  if (fraction === undefined) {
    return (
      <div className="progress progress-unknown" role="progressbar" aria-label={label}>
        <div className="progress-bar" />
      </div>
    );
  }
  return (
    <div
      className="progress"
      role="progressbar"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(fraction * 100)}
    >
      <div className="progress-bar" style={{ width: `${fraction * 100}%` }} />
    </div>
  );
}

/** A progress as a fraction from 0 to 1, or `undefined` where nobody knows. */
export function fractionOf(value: number | undefined, total: number | undefined): number | undefined {
  if (value === undefined) return undefined;
  const fraction = total === undefined ? value : total > 0 ? value / total : Number.NaN;
  return Number.isFinite(fraction) ? Math.min(1, Math.max(0, fraction)) : undefined;
}
