/** Minutes and seconds until `end`, `1:54`; never less than `0:00`. Both in milliseconds since the epoch. Pure. */
export function timeLeft(end: number, now: number): string {
  const seconds = Math.max(0, Math.ceil((end - now) / 1_000));
  return `${String(Math.floor(seconds / 60))}:${String(seconds % 60).padStart(2, '0')}`;
}
