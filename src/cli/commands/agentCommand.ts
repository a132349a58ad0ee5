import { createInterface } from 'node:readline/promises';
import { appendFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PincerError } from '../../base/errors.ts';
import type { AgentEvent, RunOutcome } from '../../contracts/agentEvent.ts';
import type { ApprovalDecision, ApprovalRequest } from '../../contracts/approval.ts';
import type { Model } from '../../contracts/model.ts';
import type { Runtime } from '../../runtime/index.ts';
import type { Session } from '../../sessions/session.ts';
import { exitCodes, type ExitCode } from '../exitCodes.ts';
import { openCliRuntime, type CliOptions } from '../openCliRuntime.ts';
import { toErrorText, toJson, type Output } from '../output.ts';

export interface AgentOptions extends CliOptions {
  readonly message: string;
  readonly model?: string;
  readonly session?: string;
  readonly record?: string;
  readonly json?: boolean;
}

/** `pincer agent`: one turn. The answer goes to standard output, what happened on the way to standard error. */
export async function runAgentCommand(options: AgentOptions, output: Output): Promise<ExitCode> {
  const runtime = await openCliRuntime(options, output);
  const cancel = new AbortController();
  const onInterrupt = (): void => cancel.abort();
  process.once('SIGINT', onInterrupt);
  try {
    const session =
      options.session === undefined ? runtime.createSession() : await openSession(runtime, options.session);
    const model = await chooseModel(runtime, options);
    const calls: { name: string; isError: boolean; details?: unknown }[] = [];
    const run = runtime.startRun({
      session,
      prompt: options.message,
      attachments: [],
      model,
      signal: cancel.signal,
      emit: (event) => {
        if (event.type === 'tool_ended')
          calls.push({ name: event.call.name, isError: event.result.isError, details: event.result.details });
        if (event.type === 'approval_requested') void askInTerminal(runtime, event.request, output);
        if (options.json !== true) print(event, output);
      },
    });
    const outcome = await run.outcome;
    await run.settled;
    if (options.json === true)
      output.out(
        toJson({
          sessionId: session.id,
          runId: run.runId,
          model: `${model.info.provider}/${model.info.model}`,
          outcome,
          calls,
        }),
      );
    else if (outcome.status === 'failed')
      output.err(
        toErrorText(
          new PincerError(
            outcome.code,
            outcome.message,
            outcome.hint === undefined ? {} : { hint: outcome.hint },
          ),
        ),
      );
    return exitCodeOf(outcome);
  } finally {
    process.removeListener('SIGINT', onInterrupt);
    await runtime.stop('shutdown');
  }
}

function exitCodeOf(outcome: RunOutcome): ExitCode {
  switch (outcome.status) {
    case 'completed':
      return exitCodes.ok;
    case 'blocked':
      return exitCodes.blocked;
    case 'cancelled':
      return exitCodes.cancelled;
    case 'failed':
      return exitCodes.failed;
  }
}

async function openSession(runtime: Runtime, id: string): Promise<Session> {
  const session = await runtime.sessions.open(id);
  if (session === undefined)
    throw new PincerError('session_unknown', `There is no session ${id} in this state folder.`, {
      hint: 'Leave --session out to start a new one.',
    });
  return session;
}

async function chooseModel(runtime: Runtime, options: AgentOptions): Promise<Model> {
  const model =
    options.model === undefined
      ? runtime.defaultModel()
      : await runtime.openModel(options.model, resolve(options.workspace));
  const { record } = options;
  return record === undefined
    ? model
    : runtime.recordModel(model, (line) => appendFile(resolve(record), line));
}

function print(event: AgentEvent, output: Output): void {
  switch (event.type) {
    case 'text':
      output.out(event.text);
      break;
    case 'tool_started':
      output.err(`\n› ${event.label}\n`);
      break;
    case 'tool_ended':
      if (event.result.isError)
        output.err(
          `  ${event.result.content.map((part) => (part.type === 'text' ? part.text : '')).join('')}\n`,
        );
      break;
    case 'run_ended':
      if (event.outcome.status === 'completed') output.out('\n');
      if (event.outcome.status === 'blocked') output.out(`${event.outcome.text}\n`);
      break;
    case 'run_started':
    case 'message':
    case 'tool_progress':
    case 'approval_requested':
    case 'approval_resolved':
      break;
  }
}

const keys: Readonly<Record<string, ApprovalDecision>> = { y: 'allow-once', a: 'allow-always', n: 'deny' };

/** The question on the terminal; whatever is not a clear yes is a no. */
async function askInTerminal(runtime: Runtime, request: ApprovalRequest, output: Output): Promise<void> {
  const always = request.decisions.includes('allow-always') ? `, a = always allow ${request.grantLabel}` : '';
  const reader = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = await reader.question(
      `\n${request.title}: ${request.description}\nAllow? (y = once${always}, n = no) `,
    );
    const result = runtime.approvals.resolve(
      request.id,
      keys[answer.trim().toLowerCase()] ?? 'deny',
      'terminal',
    );
    if (!result.ok) output.err(toErrorText(result.error));
  } finally {
    reader.close();
  }
}
