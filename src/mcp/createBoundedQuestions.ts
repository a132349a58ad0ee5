import { PincerError } from '../base/errors.ts';
import type { Diagnostic } from '../contracts/diagnostic.ts';
import type { Clock } from '../host/ports.ts';
import type { ServerEntry } from './serverEntry.ts';
import { readQuestion, type AskPerson, type ServerAnswer } from './serverQuestion.ts';

export interface BoundedQuestionsDeps {
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Who asks people now; undefined where nobody is there. */
  readonly askPerson: () => AskPerson | undefined;
  readonly report: (diagnostic: Diagnostic) => void;
}

/** What servers ask people, as often as they may. */
interface BoundedQuestions {
  /** Asks a person what a server asks; declines what may not be asked, or is too much. */
  answer(entry: ServerEntry, params: unknown, asked: AbortSignal): Promise<ServerAnswer>;
  /** Whether the person opens the address of a sign-in; undefined where nobody is there. @throws PincerError `mcp_asks_too_much` */
  askToSignIn(
    entry: ServerEntry,
    address: { readonly href: string; readonly host: string },
    asked: AbortSignal,
  ): Promise<boolean | undefined>;
}

/** Questions that a server may ask in one turn; turns whose calls run beside each other share them. */
const maxInTurn = 20;
/** Questions that a server may ask in any ten minutes, however many turns there are; sign-ins are some. */
const maxLately = 40;
const latelyMs = 600_000;
/** Refused questions of a server that become problems of their own. */
const maxReported = 20;

/** `note`: writes a line into the log of a server. */
export function createBoundedQuestions(
  deps: BoundedQuestionsDeps,
  note: (entry: ServerEntry, text: string) => void,
): BoundedQuestions {
  const answer = async (entry: ServerEntry, params: unknown, asked: AbortSignal): Promise<ServerAnswer> => {
    const { name } = entry.server;
    if (asksTooMuchInTurn(entry) || asksTooMuchLately(entry)) return { action: 'decline' };
    const question = entry.calls === 0 ? 'nobody has called it' : readQuestion(name, params);
    if (typeof question === 'string') {
      refuse(entry, question);
      return { action: 'decline' };
    }
    const ask = deps.askPerson();
    if (ask !== undefined) return await ask(question, asked);
    refuse(entry, 'nobody is there to be asked');
    return { action: 'decline' };
  };
  /** Counts a question of the turn. */
  const asksTooMuchInTurn = (entry: ServerEntry): boolean => {
    entry.questions += 1;
    if (entry.questions === maxInTurn + 1)
      noteExcess(entry, `${String(maxInTurn)} times in one turn`, 'It may ask again in your next turn.');
    return entry.questions > maxInTurn;
  };
  /** Counts a question of the time before now; those that are declined here make the time no longer. */
  const asksTooMuchLately = (entry: ServerEntry): boolean => {
    const now = deps.clock.monotonic();
    const lately = entry.askedAt.filter((at) => at > now - latelyMs);
    const isTooMuch = lately.length >= maxLately;
    const minutes = `${String(latelyMs / 60_000)} minutes`;
    if (isTooMuch && !entry.isMuted)
      noteExcess(entry, `${String(maxLately)} times within ${minutes}`, `It may ask again after ${minutes}.`);
    entry.isMuted = isTooMuch;
    entry.askedAt = isTooMuch ? lately : [...lately, now];
    return isTooMuch;
  };
  const noteExcess = (entry: ServerEntry, howOften: string, again: string): void => {
    const message = tooManyQuestions(entry.server.name, howOften);
    note(entry, message);
    deps.report({ level: 'warn', code: 'mcp_asks_too_much', message, hint: `${again} ${howToStop}` });
  };
  const refuse = (entry: ServerEntry, why: string): void => {
    note(entry, `A question was refused: ${why}.`);
    // The server words some of it: what it says in new words each time fills its log, which has an end, and no list of problems.
    entry.refusals += 1;
    if (entry.refusals > maxReported) return;
    deps.report({
      level: 'warn',
      code: 'mcp_question_refused',
      message: `A question of the MCP server ${entry.server.name} was refused: ${why}.`,
      hint: 'Where the server needs a key, name it in its entry of mcp.servers.',
    });
  };
  return {
    answer,
    async askToSignIn(entry, { href, host }, asked) {
      const { name: server } = entry.server;
      if (asksTooMuchLately(entry)) throw signInRefused(server);
      const question = { server, kind: 'address', message: signInText, url: href, host } as const;
      const answered = await deps.askPerson()?.(question, asked);
      return answered === undefined ? undefined : answered.action === 'accept';
    },
  };
}

function tooManyQuestions(server: string, howOften: string): string {
  return `The MCP server ${server} has asked ${howOften}: what more it asks is declined.`;
}

const howToStop = 'Where it should ask nothing more, stop or remove it in the MCP group of the Plugins view.';

function signInRefused(server: string): PincerError {
  const howOften = `${String(maxLately)} times within ${String(latelyMs / 60_000)} minutes`;
  return new PincerError('mcp_asks_too_much', tooManyQuestions(server, howOften), { hint: howToStop });
}

const signInText = 'Sign in there: the server answers nobody else. The browser comes back to Pincer.';
