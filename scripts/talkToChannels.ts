import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import { errorMessage } from '../src/base/errors.ts';
import { homeWithModel } from '../test/builders/homeWithModel.ts';
import { startIrcServer } from '../test/builders/ircServer.ts';
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
  /** A sender who is let in asks something. */
  readonly ask: (text: string) => unknown;
  /** Resolves once the sender has got this. */
  readonly answered: (text: string) => Promise<unknown>;
  readonly close: () => Promise<void>;
}

const farEnds: Readonly<Record<string, () => Promise<FarEnd>>> = {
  async irc() {
    const server = await startIrcServer();
    const nick = 'pincer';
    return {
      settings: { host: '127.0.0.1', port: server.port, tls: false, nick, allowFrom: ['ada!ada@host.test'] },
      arrived: () => server.registered(nick),
      ask: (text) => server.write('ada', nick, text),
      answered: (text) => server.heard((said, target) => target === 'ada' && said.includes(text)),
      close: () => server.close(),
    };
  },
};

/** Channels that there is a local server for. */
export const talking: readonly string[] = Object.keys(farEnds);

const token = 'a-token-for-the-command-line-of-at-least-43-characters';
const question = 'What day is it?';
const answer = 'The log says day one.';
const mostMs = 25_000;

/** One conversation with upstream's package of a channel under the built `pincer gateway run`: a sender asks, and has the answer of a turn. */
export async function talkTo(channel: string, folder: string): Promise<Talk> {
  const far = await farEnds[channel]?.();
  if (far === undefined) return { why: 'there is no local server for it' };
  const model = await startScriptedModelServer();
  const cli = await openCliWorld();
  const served = await serve(cli, model.baseUrl, { channel, folder, settings: far.settings });
  const ended = new AbortController();
  try {
    model.script(textAnswer(answer));
    const talk = async (): Promise<Talk> => {
      await far.arrived();
      far.ask(question);
      await far.answered(answer);
      return 'ok';
    };
    const late = pause(mostMs, undefined, { signal: ended.signal }).then(async (): Promise<Talk> => {
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
