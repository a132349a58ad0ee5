// Threat: a program of this machine, or another user of it, passes for the browser of the person at the terminal. So the person compares a code,
// and what a browser calls itself reaches the terminal as one inert line.
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import type { SerialQueue } from '../../base/createSerialQueue.ts';
import { remoteFile } from '../../gateway/chatPage/remoteFile.ts';
import type { PageServer, PairingRequest } from '../../gateway/pages.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Terminal } from '../askInTerminal.ts';
import { inertFact } from '../inert.ts';
import { createTerminalChat } from './createTerminalChat.ts';

interface TerminalPagesParts {
  readonly runtime: Runtime;
  readonly terminal: Terminal;
  /** One question at a time reads what is typed. */
  readonly inTurn: SerialQueue;
  /** The folder of the built program. Absolute. */
  readonly dist: string;
}

/** The page that `pincer gateway run` serves; the person at the terminal lets browsers in, there or by `pincer gateway pair`. */
export function createTerminalPages({ runtime, terminal, inTurn, dist }: TerminalPagesParts): PageServer {
  /** Browsers that wait, by their code. */
  const waiting = new Map<string, (isAllowed: boolean) => void>();
  const page = {
    dist,
    language: 'en',
    l10n: { t: (text: string) => text },
    texts: { idle: 'Ask Pincer. / for commands of plugins' },
    readText: (file: string) => readFile(file, 'utf8'),
  };
  return {
    file: (path) => remoteFile(path, page),
    async pair(request, signal) {
      const answered = new AbortController();
      const over = AbortSignal.any([signal, answered.signal]);
      const elsewhere = new Promise<boolean>((resolve) => {
        waiting.set(request.code, resolve);
        signal.addEventListener('abort', () => resolve(false), { once: true });
      });
      terminal.output.write(pairingText(request));
      const here = new Promise<boolean>((resolve, reject) => {
        const ask = async (): Promise<void> => {
          const answer = await askYes(request.code, terminal, over);
          if (answer !== undefined) resolve(answer);
        };
        inTurn(ask).catch(reject);
      });
      try {
        return (await Promise.race([here, elsewhere])) && !signal.aborted;
      } finally {
        waiting.delete(request.code);
        answered.abort();
      }
    },
    answerPairing(code, isAllowed) {
      const answer = waiting.get(code);
      answer?.(isAllowed);
      return answer !== undefined;
    },
    open: (port) => createTerminalChat(runtime, port),
  };
}

function pairingText({ code, name }: PairingRequest): string {
  return `
A browser wants to use the agent: it could talk to it and answer approvals until the gateway stops.
It calls itself ${inertFact(name)}.
Allow it only if it shows the code ${code}: answer here, or run pincer gateway pair ${code}
`;
}

/** Undefined: `signal` took the question back. Whatever is no clear yes is a no. */
async function askYes(code: string, terminal: Terminal, signal: AbortSignal): Promise<boolean | undefined> {
  if (signal.aborted) return undefined;
  const reader = createInterface(terminal);
  const takeBack = (): void => reader.close();
  signal.addEventListener('abort', takeBack, { once: true });
  try {
    return await new Promise<boolean | undefined>((resolve) => {
      reader.on('line', (line) => resolve(['y', 'yes'].includes(line.trim().toLowerCase())));
      reader.once('SIGINT', () => resolve(false));
      reader.once('close', () => resolve(signal.aborted ? undefined : false));
      reader.setPrompt(`Let in the browser that shows ${code}? (y/N) `);
      reader.prompt();
    });
  } finally {
    signal.removeEventListener('abort', takeBack);
    reader.close();
  }
}
