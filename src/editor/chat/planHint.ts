import type { LinkCommand } from './trustedMarkdown.ts';

/** A part of a hint: literal text, or what a link says and runs. */
interface HintPart {
  readonly text: string;
  readonly link?: { readonly command: LinkCommand; readonly argument: object | undefined };
}

/** What a link in a hint may need to know of the answer that it stands in. */
export interface HintPlace {
  readonly sessionId?: string | undefined;
  /** The message that was not answered; undefined where it can't be sent again as it was. */
  readonly message?: string | undefined;
}

interface LinkedPhrase {
  readonly phrase: RegExp;
  readonly command: LinkCommand;
  /** Undefined where the command lacks what it needs. */
  readonly argument?: (place: HintPlace) => object | undefined;
}

const ofSession = ({ sessionId }: HintPlace): object | undefined =>
  sessionId === undefined ? undefined : { sessionId };

/** Commands and views by their names. Each opens something, or can be run at any time without harm. */
const names: readonly LinkedPhrase[] = [
  { phrase: /(?:Pincer: )?Add Model…/u, command: 'pincer.models.add' },
  { phrase: /(?:Pincer: )?Sign In to Model Provider…/u, command: 'pincer.models.signIn' },
  { phrase: /Pincer: Open User Config/u, command: 'pincer.config.openUser' },
  { phrase: /Pincer: Reload All Plugins/u, command: 'pincer.plugins.reloadAll' },
  { phrase: /Pincer: Restore Checkpoint/u, command: 'pincer.checkpoints.restore' },
  { phrase: /Pincer: Search Sessions/u, command: 'pincer.sessions.search' },
  { phrase: /Sessions view/u, command: 'pincer.sessions.focus' },
  { phrase: /Approvals view/u, command: 'pincer.approvals.focus' },
];

/** How hints say what can be done, and the command that does it. */
const wordings: readonly LinkedPhrase[] = [
  { phrase: /enter the key again|enter the key\b/iu, command: 'pincer.models.add' },
  { phrase: /in (?:the|your) config\b/u, command: 'pincer.config.openUser' },
  { phrase: /start a new (?:session|chat)/iu, command: 'pincer.session.new' },
  {
    phrase: /(?:choose|pick|try) another (?:model|one)|(?:choose|pick) a model\b/iu,
    command: 'workbench.action.chat.openModelPicker',
  },
  { phrase: /(?<!\S)\/compact\b/u, command: 'pincer.sessions.compact', argument: ofSession },
  saying(/(?<!\S)\/model default\b/u, '/model default'),
  saying(/(?<!\S)\/model\b(?! default)/u, '/model'),
  saying(/send "continue"/iu, 'continue'),
  {
    phrase: /send the message again|try again/iu,
    command: 'pincer.chat.sendAgain',
    argument: ({ message }) => (message === undefined ? undefined : { message }),
  },
];

function saying(phrase: RegExp, message: string): LinkedPhrase {
  return { phrase, command: 'pincer.chat.sendAgain', argument: () => ({ message }) };
}

// Threat: a hint may quote what a plugin, a server or a model has named, and a click on it would say or shorten something at once. So
// wordings are links in the hints of these errors alone, whose words are all ours, but for addresses, in which no slash begins a command.
const ownHints: ReadonlySet<string> = new Set([
  'model_unauthorized',
  'model_no_key',
  'model_misconfigured',
  'model_offline',
  'model_quota',
  'model_gone',
  'model_rate_limited',
  'model_context_overflow',
  'model_rejected',
  'model_unavailable',
  'model_timeout',
  'model_malformed',
  'model_refused',
  'model_unknown',
  'token_limit',
  'cost_limit',
  'round_limit',
  'call_limit',
  'time_limit',
  'session_unknown',
  'session_ambiguous',
  'session_unreadable',
  'session_newer',
  'session_removed',
  'session_tenant_fixed',
  'session_turn_unknown',
  'summary_empty',
  'checkpoint_unknown',
  'approval_unknown',
]);

/** The parts of a hint: what names something that can be done is a link to it, once, where it stands first. Pure. */
export function planHint(code: string, hint: string, place: HintPlace): readonly HintPart[] {
  const found = [...names, ...(ownHints.has(code) ? wordings : [])]
    .flatMap(({ phrase, command, argument }) => {
      const match = phrase.exec(hint);
      const given = argument?.(place);
      if (match === null || (argument !== undefined && given === undefined)) return [];
      return [{ start: match.index, text: match[0], link: { command, argument: given } }];
    })
    .sort((a, b) => a.start - b.start);
  const parts: HintPart[] = [];
  let end = 0;
  for (const { start, text, link } of found) {
    const isLinked = ({ link: other }: HintPart): boolean =>
      other?.command === link.command && link.argument === undefined;
    if (start < end || parts.some(isLinked)) continue;
    parts.push({ text: hint.slice(end, start) }, { text, link });
    end = start + text.length;
  }
  return [...parts, { text: hint.slice(end) }].filter(({ text }) => text !== '');
}

/** What a text names that can be opened or run, as buttons under it. Pure. */
export function planButtons(
  text: string,
): readonly { readonly title: string; readonly command: LinkCommand }[] {
  return names.flatMap(({ phrase, command }) => {
    const [name] = phrase.exec(text) ?? [];
    return name === undefined ? [] : [{ title: name.replace(/^Pincer: /u, ''), command }];
  });
}
