/** Which process a record belongs to: another window's work that still goes on is not ours to clean up. */
export interface ProcessOwner {
  /** Of this process. */
  id(): Promise<string>;
  isAlive(id: string): Promise<boolean>;
}

/**
 * This process by its id and start, so that a later process with the same id is not taken for it. Where the system does not say
 * when a process started, the id alone counts. The system is asked at the first need: on some it takes a moment.
 */
export function createProcessOwner(
  startTimeOf: (pid: number) => Promise<string | undefined>,
  pid: number,
): ProcessOwner {
  let own: Promise<string> | undefined;
  const id = (): Promise<string> => (own ??= startTimeOf(pid).then((startTime) => nameOf(pid, startTime)));
  return {
    id,
    async isAlive(other) {
      if (other === (await id())) return true;
      const otherPid = Number.parseInt(other, 10);
      if (!Number.isSafeInteger(otherPid) || otherPid <= 0) return false;
      const startTime = await startTimeOf(otherPid);
      return startTime !== undefined && nameOf(otherPid, startTime) === other;
    },
  };
}

function nameOf(pid: number, startTime: string | undefined): string {
  return startTime === undefined ? String(pid) : `${String(pid)} ${startTime}`;
}
