import * as vscode from 'vscode';
import { describeDiagnostic } from '../../base/describeDiagnostic.ts';
import { raceAbort } from '../../base/abort.ts';
import { PincerError } from '../../base/errors.ts';
import { escapeMarkdown, inertLine } from '../../base/text.ts';
import type { Memory, MemoryAnswer, MemoryHit } from '../../memory/memory.ts';
import { rowsUnder } from '../chat/rowsUnder.ts';
import type { CommandId } from '../commandTable.ts';
import { fileLink } from '../host/fileLink.ts';
import { hitMarkdown } from './hitMarkdown.ts';
import { progressText, stateTexts, vectorNote } from './memoryTexts.ts';

const maxHits = 8;
const openCommand = 'pincer.memory.openFile' satisfies CommandId;
/** So long an answer waits for what was saved a moment before. Milliseconds. */
const waitMs = 1_500;
/** And so long for a memory that is just being made, where it has found something and where it has not. Milliseconds. */
const timeoutsMs = { some: 2_000, none: 8_000 } as const;

/** What an answer needs besides the query. */
interface MemoryQuestion {
  readonly memory: Memory;
  readonly signal: AbortSignal;
  /** Shows what is waited for. */
  readonly tell: (text: string) => void;
}

/** What `/memory` answers: the hits, or the state where nothing was asked. Markdown in which texts of files are literal. */
export async function memoryAnswer(question: MemoryQuestion, query: string): Promise<vscode.MarkdownString> {
  try {
    if (query === '') return toMarkdown(await stateAnswer(question.memory));
    return toMarkdown(hitsAnswer(await searchPatiently(question, query), query));
  } catch (error) {
    if (error instanceof PincerError && error.code === 'memory_disabled') return toMarkdown(disabledText());
    throw error;
  }
}

/** What an index finds that is just being made says little, so that it is asked again for a while. */
async function searchPatiently(
  { memory, signal, tell }: MemoryQuestion,
  query: string,
): Promise<MemoryAnswer> {
  const started = performance.now();
  for (;;) {
    const answer = await memory.search(query, { maxResults: maxHits, waitMs }, signal);
    const timeoutMs = answer.hits.length > 0 ? timeoutsMs.some : timeoutsMs.none;
    if (answer.indexing === undefined || performance.now() > started + timeoutMs) return answer;
    tell(vscode.l10n.t('Memory: {0}', progressText(answer.indexing)));
    await raceAbort(nextChange(memory), signal);
  }
}

/** Something was indexed; at the latest after a second. */
async function nextChange(memory: Memory): Promise<void> {
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      listener.dispose();
      resolve();
    };
    const timer = setTimeout(done, 1_000);
    const listener = memory.onDidChange(done);
  });
}

async function stateAnswer(memory: Memory): Promise<string> {
  const status = await memory.status();
  if (!status.isEnabled) return disabledText();
  const { label, description } = stateTexts(status);
  const rows = [`${label}, ${description}`, vectorNote(status.vector)].flatMap((row) =>
    row === undefined ? [] : [`- ${escapeMarkdown(row)}`],
  );
  const problems = status.problems.map(
    (each) => `- ${escapeMarkdown(inertLine(describeDiagnostic(each), 500))}`,
  );
  return [
    ...rowsUnder(vscode.l10n.t('Memory'), rows),
    ...rowsUnder(vscode.l10n.t('Problems'), problems),
    vscode.l10n.t('`/memory` with a question or some words finds the passages about it.'),
  ].join('\n\n');
}

function hitsAnswer(answer: MemoryAnswer, query: string): string {
  const { hits } = answer;
  const rows = hits.map((hit) => hitMarkdown(hit, query, hrefOf(hit)));
  const none = vscode.l10n.t(
    'Nothing in the memory fits “{0}”. Other words may help; `/memory` alone says what is indexed.',
    escapeMarkdown(inertLine(query, 80)),
  );
  return [rows.length === 0 ? none : rows.join('\n'), ...notes(answer)].join('\n\n');
}

/** What the answer lacks. */
function notes({ indexing, vector }: MemoryAnswer): readonly string[] {
  const missing =
    vector.state === 'off' ? vscode.l10n.t('Text search only; /memory alone says why.') : vectorNote(vector);
  return [
    ...(indexing === undefined
      ? []
      : [`*${escapeMarkdown(vscode.l10n.t('Not all is indexed yet: {0}.', progressText(indexing)))}*`]),
    ...(missing === undefined ? [] : [`*${escapeMarkdown(missing)}*`]),
  ];
}

/** Absolute, since the panel opens no other. A session has no file that it could open: a command of ours shows it. */
function hrefOf({ source, path, startLine }: MemoryHit): string {
  if (source === 'memory') return fileLink(path, startLine);
  return `command:${openCommand}?${encodeURIComponent(JSON.stringify([{ path, line: startLine }]))}`;
}

/** Texts of files stay literal in it; the one command that works opens a file of the memory. */
function toMarkdown(text: string): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString(text);
  markdown.isTrusted = { enabledCommands: [openCommand] };
  return markdown;
}

function disabledText(): string {
  return vscode.l10n.t('The memory is switched off: `memory.enabled` of the config is false.');
}
