/** Gives `work` a signal that aborts at the first Ctrl-C; the second one ends the process, as usual. */
export async function withInterrupt<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const cancel = new AbortController();
  const onInterrupt = (): void => cancel.abort();
  process.once('SIGINT', onInterrupt);
  try {
    return await work(cancel.signal);
  } finally {
    process.removeListener('SIGINT', onInterrupt);
  }
}
