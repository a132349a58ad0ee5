import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { isRecord } from '../../base/json.ts';
import type { ChatItems } from '../../gateway/chatPage/chatItems.ts';
import type { ChatItem } from '../../gateway/chatPage/chatViewMessages.ts';
import type { Jobs } from '../../sandbox/createJobs.ts';
import { jobDetails } from '../../tools/core/describeJob.ts';
import { endedText } from '../chat/runNotes.ts';
import { jobFacts } from '../chat/stepTexts.ts';

export interface FollowJobsParts {
  readonly jobs: Pick<Jobs, 'list' | 'onDidChange'>;
  readonly items: ChatItems;
  /** Whether a turn of the conversation runs. */
  readonly isRunning: () => boolean;
  readonly note: (icon: string, markdown: string) => void;
}

/** The steps of commands that went on in the background, and outlive their turns. */
export interface JobSteps extends Disposable {
  /** Other items stand there: tells of each command how it goes by now. */
  refresh(): void;
}

/** Tells at its step how a command ended; where no turn runs any more, also at the end of the conversation. */
export function followJobs({ jobs, items, isRunning, note }: FollowJobsParts): JobSteps {
  const refresh = (isNews: boolean): void => {
    for (const item of items.all()) {
      if (item.kind !== 'step' || item.job === undefined) continue;
      const { job: id, ...step } = item;
      const job = jobs.list().find((each) => each.id === id);
      if (job === undefined) {
        items.put({ ...step, state: 'stopped', facts: [vscode.l10n.t('no longer runs here')] });
        continue;
      }
      if (job.end() === undefined) continue;
      const details = { ...jobDetails(job, { isKept: true }) };
      const state = details.status === 'completed' ? 'done' : 'failed';
      const facts = jobFacts(details);
      items.put({ ...step, state, facts });
      if (isNews && !isRunning()) note(state === 'done' ? 'check' : 'error', endedText(details, facts));
    }
  };
  const heard = jobs.onDidChange(() => refresh(true));
  return { refresh: () => refresh(false), dispose: () => heard.dispose() };
}

type StepItem = Extract<ChatItem, { kind: 'step' }>;

/** What of a call's step says that its command goes on; nothing where it is over. `details`: what the program itself says of the call. Pure. */
export function jobOf(tool: string, details: unknown): Pick<StepItem, 'job'> {
  if (tool !== 'exec' || !isRecord(details) || details['status'] !== 'running') return {};
  return typeof details['sessionId'] === 'string' ? { job: details['sessionId'] } : {};
}
