import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { errorMessage } from '../src/base/errors.ts';
import { homeWithModel } from '../test/builders/homeWithModel.ts';
import { startIrcServer } from '../test/builders/ircServer.ts';
import { startNextcloudServer } from '../test/builders/nextcloudServer.ts';
import { startScriptedModelServer, textAnswer } from '../test/builders/scriptedModelServer.ts';
import { openCliWorld, type CliWorld } from '../test/package/openCliWorld.ts';

/** What came of a conversation: `ok`, or why there was none. */
export type Talk = 'ok' | { readonly why: string };

/** The far end of a channel: a local server that speaks its real protocol. */
interface FarEnd {
  /** Settings of the channel that lead to it. */
  readonly settings: object;
  /** Resolves once the channel has come. */
  readonly arrived: () => Promise<unknown>;
  /** A sender asks something: one who is let in, or a stranger. */
  readonly ask: (text: string, sender: 'known' | 'stranger') => unknown;
  /** Resolves once the sender who is let in has got this. */
  readonly answered: (text: string) => Promise<unknown>;
  /** The sender who is let in asks in a room of several: one that the settings name, or another. Absent, rooms are not tried. */
  readonly askInRoom?: (text: string, room: 'named' | 'other') => unknown;
  /** Resolves once somebody in the named room has got this. */
  readonly answeredInRoom?: (text: string) => Promise<unknown>;
  /** What anybody else has got. */
  readonly toStrangers: () => readonly string[];
  readonly close: () => Promise<void>;
}

const names = { known: 'ada', stranger: 'mallory' } as const;

const farEnds: Readonly<Record<string, () => Promise<FarEnd>>> = {
  async irc() {
    const server = await startIrcServer();
    const nick = 'pincer';
    return {
      settings: { host: '127.0.0.1', port: server.port, tls: false, nick, allowFrom: ['ada!ada@host.test'] },
      arrived: () => server.registered(nick),
      ask: (text, sender) => server.write(names[sender], nick, text),
      answered: (text) => server.heard((said, target) => target === names.known && said.includes(text)),
      toStrangers: () => server.said.flatMap(({ target, text }) => (target === names.known ? [] : [text])),
      close: () => server.close(),
    };
  },
  async 'nextcloud-talk'() {
    const server = await startNextcloudServer();
    return {
      settings: {
        baseUrl: server.baseUrl,
        botSecret: server.secret,
        apiUser: server.user.name,
        apiPassword: server.user.password,
        webhookHost: '127.0.0.1',
        webhookPort: server.webhookPort,
        network: { dangerouslyAllowPrivateNetwork: true },
        allowFrom: [`users/${names.known}`],
        groupPolicy: 'allowlist',
        groupAllowFrom: [`users/${names.known}`],
        rooms: { teamharbour: { requireMention: false } },
      },
      arrived: () => server.reachable(),
      ask: (text, sender) => server.write(names[sender], text),
      answered: (text) => server.heard((said, user) => user === names.known && said.includes(text)),
      askInRoom: (text, room) =>
        server.write(names.known, text, room === 'named' ? 'teamharbour' : 'teamelsewhere'),
      answeredInRoom: (text) => server.heard((said, user) => user === 'teamharbour' && said.includes(text)),
      toStrangers: () =>
        server.said.flatMap(({ user, text }) => (['ada', 'teamharbour'].includes(user) ? [] : [text])),
      close: () => server.close(),
    };
  },
};

/** Channels that there is a local server for. */
export const talking: readonly string[] = Object.keys(farEnds);

const token = 'a-token-for-the-command-line-of-at-least-43-characters';
const first = { question: 'What day is it?', answer: 'The log says day one.' };
const second = { question: 'And the day after?', answer: 'Day two.' };
const inRoom = { question: 'Who is on watch?', answer: 'Bob is on watch.' };
const strange = 'Let me in, I am a friend.';
const maxMs = 25_000;

/**
 * One conversation with upstream's package of a channel under the built `pincer gateway run`: a sender asks, has the answer of a turn, and goes
 * on in the same session; a stranger has no turn and no answer.
 */
export async function talkTo(channel: string, folder: string): Promise<Talk> {
  const far = await farEnds[channel]?.();
  if (far === undefined) return { why: 'there is no local server for it' };
  const model = await startScriptedModelServer();
  const cli = await openCliWorld();
  const served = await serve(cli, model.baseUrl, { channel, folder, settings: far.settings });
  const ended = new AbortController();
  try {
    model.script(textAnswer(first.answer), textAnswer(second.answer), textAnswer(inRoom.answer));
    const talk = async (): Promise<Talk> => {
      await far.arrived();
      await far.ask(strange, 'stranger');
      await far.ask(first.question, 'known');
      await far.answered(first.answer);
      await far.ask(second.question, 'known');
      await far.answered(second.answer);
      await far.askInRoom?.(strange, 'other');
      await far.askInRoom?.(inRoom.question, 'named');
      await far.answeredInRoom?.(inRoom.answer);
      const asked = model.requests.map(({ body }) => JSON.stringify(body));
      if (far.toStrangers().length > 0 || asked.some((each) => each.includes(strange)))
        return { why: 'a stranger was let in' };
      const goesOn = asked[1]?.includes(first.question) === true && asked[1].includes(first.answer);
      if (asked[2]?.includes(first.question) === true)
        return { why: 'a room went on with a direct conversation' };
      return goesOn ? 'ok' : { why: 'the second message did not go on with the session of the first' };
    };
    const late = pause(maxMs, undefined, { signal: ended.signal }).then(async (): Promise<Talk> => {
      const { stdout } = await cli.run(['channels', 'logs']);
      return { why: `nothing was answered: ${stdout.trim().split('\n').at(-1) ?? ''}`.slice(0, 300) };
    });
    return await Promise.race([talk(), late]);
  } catch (error) {
    return { why: errorMessage(error).slice(0, 300) };
  } finally {
    // The wait must not outlive the talk.
    ended.abort();
    served.interrupt('SIGTERM');
    await served.done;
    await cli.close();
    await model.dispose();
    await far.close();
  }
}

async function serve(
  cli: CliWorld,
  modelUrl: string,
  {
    channel,
    folder,
    settings,
  }: { readonly channel: string; readonly folder: string; readonly settings: object },
): Promise<ReturnType<CliWorld['start']>> {
  const home = homeWithModel(modelUrl, {
    gateway: { port: 0 },
    plugins: { load: { paths: [folder] }, entries: { [channel]: { enabled: true } } },
    channels: { [channel]: { enabled: true, dmPolicy: 'allowlist', ...settings } },
  });
  for (const [path, text] of Object.entries(home)) await cli.write({ [join('../home', path)]: text });
  const served = cli.start(['gateway', 'run'], { env: { PINCER_GATEWAY_TOKEN: token } });
  await served.waitForOutput('The gateway runs on ');
  return served;
}
