import type { ApprovalBroker, TimeLeft } from '../../approvals/approvalBroker.ts';

/** Milliseconds as minutes and seconds, `1:54`, never less than `0:00`; from two hours on as `6 d 23 h` or `3 h`. Pure. */
export function timeLeft(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  const hours = Math.floor(seconds / 3_600);
  if (hours >= 24) return `${String(Math.floor(hours / 24))} d ${String(hours % 24)} h`;
  if (hours >= 2) return `${String(hours)} h`;
  return `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`;
}

/** The same in the two characters that a badge has room for: `6d`, `3h`, `9m`, `59`. Pure. */
export function timeBadge(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1_000));
  if (seconds < 60) return String(seconds);
  const units = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'm'],
  ] as const;
  const [length, unit] = units.find(([each]) => seconds >= each) ?? units[2];
  return `${String(Math.min(9, Math.floor(seconds / length)))}${unit}`;
}

/** What is left of the question whose time ends first; undefined where none waits. */
export function nextTimeLeft(approvals: Pick<ApprovalBroker, 'pending' | 'timeLeft'>): TimeLeft | undefined {
  return approvals
    .pending()
    .flatMap(({ id }) => approvals.timeLeft(id) ?? [])
    .sort((a, b) => a.ms - b.ms)[0];
}
