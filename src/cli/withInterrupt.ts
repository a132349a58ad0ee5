/** What ends a program from outside: Ctrl+C, the system or a supervisor, a terminal that is closed. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Gives `work` a signal that aborts when the program is told to end, so that it ends in order: commands and sessions are closed.
 * The second time ends the process at once, as usual.
 */
export async function withInterrupt<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const cancel = new AbortController();
  const onEnding = (): void => cancel.abort();
  for (const signal of endings) process.once(signal, onEnding);
  process.once('SIGHUP', outliveTerminal);
  try {
    return await work(cancel.signal);
  } finally {
    for (const signal of endings) process.removeListener(signal, onEnding);
    process.removeListener('SIGHUP', outliveTerminal);
  }
}

/** Nobody reads any more; that writing fails must not keep the rest from ending in order. */
function outliveTerminal(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error');
    stream.on('error', () => undefined);
  }
}
