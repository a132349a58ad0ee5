// Threat: a part of a prompt is a file of a repository or a plugin's text. Whoever reads the report must see it as text: it can't
// close its block, make links or rows of its own, or hide characters.
import { escapeMarkdown, hasHiddenCharacters, inertLine } from '../../base/text.ts';
import type { PromptOwner, PromptReport } from '../../contracts/promptReport.ts';

type ReportPart = PromptReport['parts'][number];

/** The report as markdown: what there is and what it costs, then every part word for word. `language` is for numbers and the time. Pure. */
export function renderPromptReport(report: PromptReport, language = 'en'): string {
  const { parts, tools, messages } = report;
  const number = (value: number): string => value.toLocaleString(language);
  const all =
    sumOf(parts.map((each) => each.tokens)) + sumOf(tools.map((each) => each.tokens)) + messages.tokens;
  const isEstimate = report.countedTokens === undefined;
  const total = `${number(report.countedTokens ?? all)} of ${number(report.window)} tokens, ${isEstimate ? 'estimated' : 'counted by the server; the numbers below are estimates'}`;
  const when = new Date(report.at).toLocaleString(language, { dateStyle: 'medium', timeStyle: 'medium' });
  return [
    '# Prompt',
    '',
    `Model ${escaped(`${report.model.provider}/${report.model.model}`)} · ${when} · ${total}`,
    '',
    row(['Part', 'Tokens', 'Added by', 'Place', 'Note']),
    row(['---', '---:', '---', '---', '---']),
    ...parts.map((part) =>
      row([
        escaped(part.title),
        number(part.tokens),
        ownerText(part.owner),
        places[part.place],
        escaped(part.note ?? ''),
      ]),
    ),
    row([
      `Tools (${number(tools.length)})`,
      number(sumOf(tools.map((each) => each.tokens))),
      '',
      'beside the prompt',
      '',
    ]),
    row([`Conversation (${number(messages.count)})`, number(messages.tokens), '', 'after the prompt', '']),
    '',
    ...parts.flatMap((part) => partText(part)),
    '## Tools',
    '',
    ...(tools.length === 0
      ? ['None.']
      : tools.map(
          ({ name, owner, tokens, savesTokens }) =>
            `- ${escaped(name)}: ${number(tokens)} tokens, ${ownerText(owner)}${savesTokens === undefined ? '' : `; it stands for definitions of ${number(savesTokens)} tokens`}`,
        )),
    '',
  ].join('\n');
}

const places: Readonly<Record<ReportPart['place'], string>> = {
  system: 'system prompt',
  before: 'before your message',
  after: 'after your message',
};

function partText({ id, title, owner, text, note }: ReportPart): readonly string[] {
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  const hidden = hasHiddenCharacters(text)
    ? ['Hidden characters of this text are shown as their numbers.', '']
    : [];
  return [
    `## ${escaped(title)}`,
    '',
    `${escaped(id)} · ${ownerText(owner)}`,
    '',
    ...(note === undefined ? [] : [escaped(note), '']),
    ...hidden,
    `${fence}text`,
    showHidden(text),
    fence,
    '',
  ];
}

/** Characters that nobody sees, as `\u{200B}`: a model reads them all the same. */
function showHidden(text: string): string {
  if (!hasHiddenCharacters(text)) return text;
  return Array.from(text, (char) =>
    char !== '\n' && char !== '\t' && hasHiddenCharacters(char)
      ? `\\u{${(char.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`
      : char,
  ).join('');
}

function longestRun(text: string): number {
  return (text.match(/`+/gu) ?? []).reduce((longest, run) => Math.max(longest, run.length), 0);
}

function ownerText(owner: PromptOwner): string {
  switch (owner.kind) {
    case 'pincer':
      return 'Pincer';
    case 'user':
      return 'you';
    case 'file':
      return `file ${escaped(owner.path)}`;
    case 'plugin':
      return `plugin ${escaped(owner.pluginId)}`;
    case 'mcp':
      return `MCP server ${escaped(owner.server)}`;
  }
}

function escaped(text: string): string {
  return escapeMarkdown(inertLine(text, 500));
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
