import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { PincerError } from '../../base/errors.ts';
import { inertLine } from '../../base/text.ts';
import type { SpeechQuestion } from '../../plugins/providers/createSpeech.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import type { LastUsedTracker } from '../sessions/lastUsed.ts';
import { openSession } from '../sessions/openSession.ts';
import type { Clip, FromChatPage, SpeechFrame, ToChatPage } from '../../gateway/chatPage/chatViewMessages.ts';

interface ReadAloudParts {
  readonly runtime: Runtime;
  readonly last: Pick<LastUsedTracker, 'get'>;
  readonly tell: (message: ToChatPage) => void;
  /** What `frame` gives has changed. */
  readonly onChange: () => void;
}

/** Has answers read aloud: a plugin's speech provider makes the audio, the page plays it. One at a time. */
interface ReadAloud extends Disposable {
  /** Undefined where no plugin could make audio. */
  frame(): SpeechFrame | undefined;
  /** Reads a markdown text in place of what is read now. @throws PincerError as `Speech.speak` does, but for a stop */
  read(markdown: string): Promise<void>;
  /** Reads what was said last in the session that was last talked to; where none was, in `shown`. @throws as `read` */
  readLast(shown: Session | undefined): Promise<void>;
  stop(): void;
  /** What the page played is gone with the page before it; what has come since is played by this one. */
  pageBegan(): void;
  /** @throws PincerError `audio_not_played` */
  note(message: Extract<FromChatPage, { type: 'played' }>): void;
}

export function createReadAloud({ runtime, last, tell, onChange }: ReadAloudParts): ReadAloud {
  const { speech } = runtime.plugins;
  let stopping: AbortController | undefined;
  let shown: SpeechFrame = { state: 'idle', text: '' };
  /** What was handed to the page, and what it says while it plays. */
  let current: { readonly clip: Clip; readonly title: string; isTaken: boolean } | undefined;
  let clips = 0;

  const show = (state: SpeechFrame['state'], text = ''): void => {
    shown = { state, text };
    onChange();
  };
  const end = (): void => {
    stopping = undefined;
    current = undefined;
    show('idle');
  };
  const stop = (): void => {
    stopping?.abort();
    if (current !== undefined) tell({ type: 'silence' });
    end();
  };

  const read = async (markdown: string): Promise<void> => {
    stop();
    const { signal } = (stopping = new AbortController());
    try {
      const audio = await speech.speak(markdown, {
        agree: confirmSending,
        asking: (label) => show('asking', vscode.l10n.t('Asking {0} for audio', label)),
        signal,
      });
      if (signal.aborted) return;
      if (audio === undefined) {
        end();
        return;
      }
      const { bytes, mimeType, isCut } = audio;
      const title = isCut ? vscode.l10n.t('Reading the beginning aloud') : vscode.l10n.t('Reading aloud');
      const clip = { id: (clips += 1), bytes, mimeType };
      current = { clip, title, isTaken: false };
      tell({ type: 'play', clip });
    } catch (error) {
      if (signal.aborted) return;
      end();
      throw error;
    }
  };

  return {
    frame: () => (speech.isThere() || shown.state !== 'idle' ? shown : undefined),
    read,
    async readLast(inView) {
      const id = last.get()?.sessionId;
      const spoken = id === undefined || id === inView?.id ? inView : await openSession(runtime, id);
      const answer = spoken === undefined ? undefined : lastAnswer(spoken);
      if (answer !== undefined) await read(answer);
      else void vscode.window.showInformationMessage(vscode.l10n.t('There is no answer to read yet.'));
    },
    stop,
    pageBegan() {
      if (current === undefined) return;
      if (current.isTaken) end();
      else tell({ type: 'play', clip: current.clip });
    },
    note({ clip, state }) {
      if (current?.clip.id !== clip) return;
      current.isTaken = true;
      if (state === 'playing') show('playing', current.title);
      else if (state === 'blocked') show('blocked', vscode.l10n.t('The audio is ready'));
      else end();
      if (state === 'failed')
        throw new PincerError('audio_not_played', vscode.l10n.t('The audio could not be played here.'), {
          hint: vscode.l10n.t('Let the speech provider make mp3 or wav.'),
        });
    },
    dispose: stop,
  };
}

/** Undefined where nothing was said. */
function lastAnswer(session: Session): string | undefined {
  for (const entry of session.entries().toReversed()) {
    if (entry.type !== 'message' || entry.message.role !== 'assistant') continue;
    const texts = entry.message.content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    const said = texts.join('\n\n').trim();
    if (said !== '') return said;
  }
  return undefined;
}

async function confirmSending({ plugin, providerId, label, getsSettings }: SpeechQuestion): Promise<boolean> {
  const send = vscode.l10n.t('Send and Read Aloud');
  const detail = [
    vscode.l10n.t(
      'The speech provider {0} of plugin {1} gets the words of each answer that you have read aloud, without code blocks and known secrets. It may send them to a service of its own.',
      inertLine(providerId, 80),
      inertLine(plugin.id, 80),
    ),
    ...(getsSettings
      ? [
          vscode.l10n.t(
            'It also gets the settings in tts.providers.{0} of your config, including the key.',
            inertLine(providerId, 80),
          ),
        ]
      : []),
    ...(plugin.origin === 'workspace' ? [vscode.l10n.t('The plugin comes with this workspace.')] : []),
    vscode.l10n.t('You are asked only once. You can revoke this in the Approvals view.'),
    plugin.rootDir,
  ].join('\n');
  const question = vscode.l10n.t('Send answers to {0} to have them read aloud?', label);
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, send)) === send;
}
