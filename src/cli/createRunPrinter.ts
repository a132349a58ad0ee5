import { changedFilesOf } from '../agent/changedFilesOf.ts';
import { plural } from '../base/text.ts';
import type { AgentEvent } from '../contracts/agentEvent.ts';
import type { ModelInfo } from '../contracts/model.ts';
import { createPlainText } from './createPlainText.ts';
import { inertFact, inertText } from './inert.ts';
import type { Output } from './output.ts';

/** Prints a run for people: the answer to standard output, what happens on the way to standard error. */
export function createRunPrinter(output: Output): (event: AgentEvent) => void {
  const plain = createPlainText();
  let isPlain = false;
  let last = '\n';
  const print = (raw: string): void => {
    const text = inertText(raw);
    if (text === '') return;
    output.out(text);
    last = text.slice(-1);
  };
  /** Ends the text so far, so that nothing else stands on its last line. */
  const endLine = (): void => {
    print(plain.flush());
    if (last !== '\n') print('\n');
  };

  return (event) => {
    switch (event.type) {
      case 'waiting':
        output.err(
          event.for === 'session'
            ? 'Another window or program is using this session. This message waits until it is done.\n'
            : 'Waiting for running turns to end, to load what changed on disk.\n',
        );
        break;
      case 'run_started':
        isPlain = isBuiltIn(event.model);
        break;
      case 'text':
        print(isPlain ? plain.push(event.text) : event.text);
        break;
      case 'tool_started':
        endLine();
        output.err(`› ${inertFact(event.label)}\n`);
        break;
      case 'model_retry': {
        endLine();
        const seconds = Math.max(1, Math.round(event.waitMs / 1_000));
        output.err(`Retrying in ${String(seconds)} s: ${inertFact(event.because.message)}\n`);
        break;
      }
      case 'model_fallback':
        endLine();
        isPlain = isBuiltIn(event.to);
        output.err(`Falling back to ${inertFact(event.to.name)}: ${inertFact(event.because.message)}\n`);
        break;
      case 'steered':
        endLine();
        output.err(`Your message reached the model${skippedText(event.skipped)}.\n`);
        break;
      case 'follow_up':
        endLine();
        output.err(`Next: ${inertFact(textOf(event.message.content))}\n`);
        break;
      case 'notice':
        endLine();
        output.err(`${inertFact(event.text)}\n`);
        break;
      case 'compaction_started':
        endLine();
        output.err('Compacting the conversation, to make room.\n');
        break;
      case 'compaction_ended': {
        const { compactedCount, tokensBefore, tokensAfter } = event.entry;
        output.err(
          `${plural(compactedCount, 'message')} compacted: about ${String(tokensBefore)} tokens before, ${String(tokensAfter)} now.\n`,
        );
        break;
      }
      case 'compaction_failed':
        output.err(`The conversation could not be compacted: ${inertFact(event.because.message)}\n`);
        break;
      case 'tool_ended':
        if (event.result.isError) output.err(indented(inertText(textOf(event.result.content))));
        break;
      case 'subagent_call_ended':
        endLine();
        for (const { file, status } of changedFilesOf(event.facts))
          output.err(`› ${inertFact(`${event.label}: ${status} ${file}`)}\n`);
        break;
      case 'run_ended':
        endLine();
        if (event.outcome.status === 'cancelled') output.err('Cancelled.\n');
        if (event.outcome.status === 'yielded') output.err('Continues with your new message.\n');
        if (event.outcome.status === 'blocked') print(`${event.outcome.text}\n`);
        break;
      case 'message':
      case 'thinking':
      case 'usage':
      case 'tool_progress':
      case 'approval_requested':
      case 'approval_resolved':
        break;
    }
  };
}

function skippedText(count: number): string {
  return count === 0 ? '' : `; ${plural(count, 'call')} skipped`;
}

/** It escapes whatever it quotes from the workspace; other models' words are printed as they are. */
function isBuiltIn({ provider, model }: ModelInfo): boolean {
  return provider === 'pincer' && model === 'built-in';
}

function textOf(content: readonly { readonly type: string; readonly text?: string }[]): string {
  return content.flatMap((part) => (part.text === undefined ? [] : [part.text])).join('\n');
}

function indented(text: string): string {
  return `${text.replace(/^/gmu, '  ')}\n`;
}
