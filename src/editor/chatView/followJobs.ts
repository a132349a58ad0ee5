import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { isRecord } from '../../base/json.ts';
import type { ChatItems } from '../../gateway/chatPage/chatItems.ts';
import type { ChatItem } from '../../gateway/chatPage/chatViewMessages.ts';
import type { Jobs } from '../../sandbox/createJobs.ts';
import type { Job } from '../../sandbox/backgroundJob.ts';
import { jobDetails } from '../../tools/core/describeJob.ts';
import { endedText, goesOnText } from '../chat/runNotes.ts';
import { jobFacts } from '../chat/stepTexts.ts';

interface FollowJobsParts {
  readonly jobs: Pick<Jobs, 'list' | 'onDidChange'>;
  readonly items: ChatItems;
  /** Whether a turn of the conversation runs. */
  readonly isRunning: () => boolean;
  readonly note: (icon: string, markdown: string) => void;
}

/** The steps of commands that went on in the background, and outlive their turns. */
interface JobSteps extends Disposable {
  /** Other items stand there: tells of each command how it goes by now. */
  refresh(): void;
  /** These items stand there no more: says which commands of theirs go on, and follows them. */
  tookBack(gone: readonly ChatItem[]): void;
}

/** Tells at its step how a command ended; where no turn runs any more, also at the end of the conversation. */
export function followJobs({ jobs, items, isRunning, note }: FollowJobsParts): JobSteps {
  const find = (id: string): Job | undefined => jobs.list().find((each) => each.id === id);
  const refreshStep = ({ job: id = '', ...step }: StepItem, isNews: boolean): void => {
    const job = find(id);
    if (job === undefined) {
      items.put({ ...step, state: 'stopped', facts: [vscode.l10n.t('no longer runs here')] });
      return;
    }
    if (job.end() === undefined) return;
    const { state, facts, text } = endOf(job);
    items.put({ ...step, state, facts });
    if (isNews && !isRunning()) note(iconOf(state), text);
  };
  const refreshNote = ({ job: id = '', ...line }: NoteItem): void => {
    const job = find(id);
    if (job?.end() === undefined) return;
    const { state, text } = endOf(job);
    items.put({ ...line, icon: iconOf(state), markdown: text });
  };
  const refresh = (isNews: boolean): void => {
    for (const item of items.all()) {
      if (item.kind === 'step' && item.job !== undefined) refreshStep(item, isNews);
      if (item.kind === 'note' && item.job !== undefined) refreshNote(item);
    }
  };
  const heard = jobs.onDidChange(() => refresh(true));
  return {
    refresh: () => refresh(false),
    tookBack(gone) {
      for (const item of gone) {
        const job = 'job' in item ? find(item.job) : undefined;
        if (job === undefined || job.end() !== undefined) continue;
        const markdown = goesOnText({ ...jobDetails(job, { isKept: true }) });
        items.put({ kind: 'note', id: `job:${job.id}`, icon: 'terminal', markdown, job: job.id });
      }
    },
    dispose: () => heard.dispose(),
  };
}

function endOf(job: Job): {
  readonly state: 'done' | 'failed';
  readonly facts: readonly string[];
  readonly text: string;
} {
  const details = { ...jobDetails(job, { isKept: true }) };
  const facts = jobFacts(details);
  const state = details.status === 'completed' ? 'done' : 'failed';
  return { state, facts, text: endedText(details, facts) };
}

function iconOf(state: 'done' | 'failed'): string {
  return state === 'done' ? 'check' : 'error';
}

type NoteItem = Extract<ChatItem, { kind: 'note' }>;
type StepItem = Extract<ChatItem, { kind: 'step' }>;

/** What of a call's step says that its command goes on; nothing where it is over. `details`: what the program itself says of the call. Pure. */
export function jobOf(tool: string, details: unknown): Pick<StepItem, 'job'> {
  if (tool !== 'exec' || !isRecord(details) || details['status'] !== 'running') return {};
  return typeof details['sessionId'] === 'string' ? { job: details['sessionId'] } : {};
}
