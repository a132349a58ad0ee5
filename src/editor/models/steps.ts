import * as vscode from 'vscode';
import { errorMessage, PincerError } from '../../base/errors.ts';
import { notificationText } from '../notificationText.ts';

/** What a step of a dialog ends with: a value, a step back, or nothing since the user left. */
export type StepAnswer<T> = { readonly value: T } | 'back' | undefined;

/**
 * Asks one question after the other, each for the draft that the ones before it have made; Back returns to the one before. Gives the
 * draft for which no question is left, undefined where the user left.
 */
export async function askSteps<Draft>(
  first: Draft,
  ask: (draft: Draft, canGoBack: boolean) => Promise<StepAnswer<Draft>> | undefined,
): Promise<Draft | undefined> {
  const trail: Draft[] = [];
  let draft = first;
  for (;;) {
    const answer = await (ask(draft, trail.length > 0) ?? 'done');
    if (answer === 'done') return draft;
    if (answer === undefined) return undefined;
    if (answer === 'back') draft = trail.pop() ?? draft;
    // The same again is no step to go back to.
    else if (answer.value !== draft) {
      trail.push(draft);
      draft = answer.value;
    }
  }
}

interface StepHead {
  readonly title: string;
  readonly placeholder: string;
  /** False for the first step. */
  readonly canGoBack: boolean;
  /** Takes the question back: the step ends as if the user had left. */
  readonly signal?: AbortSignal;
}

/** Calls `leave` once nobody waits for the answer any more; what it returns stops that. */
function whenTakenBack({ signal }: StepHead, leave: () => void): () => void {
  if (signal?.aborted === true) leave();
  signal?.addEventListener('abort', leave);
  return () => signal?.removeEventListener('abort', leave);
}

/** A row of a list; one without a value only tells something. */
export interface PickRow<T> extends vscode.QuickPickItem {
  readonly value?: T;
  /** It can't be ticked together with others, so it is not there while several are chosen. */
  readonly isAlone?: boolean;
}

type Rows<T> = readonly PickRow<T>[] | { readonly done: T };

interface ListStep<T> extends StepHead {
  /**
   * The rows; while they are fetched the list shows that it is busy. Must not throw but for an abort. `done` ends the step
   * without a choice.
   */
  readonly rows: (signal: AbortSignal) => Promise<Rows<T>> | Rows<T>;
  /** Lets the user tick several rows, after a button; what the box says then. The first one ticked comes first. */
  readonly several?: string;
}

/** A list to choose from. Leaving it ends what it was waiting for. */
export async function listStep<T>(step: ListStep<T>): Promise<StepAnswer<readonly T[]>> {
  const left = new AbortController();
  let rows: Promise<Rows<T>> | undefined;
  const load = (): Promise<Rows<T>> => (rows ??= Promise.resolve(step.rows(left.signal)));
  try {
    // A list that changes its kind while it is open loses its ticks, so each kind is a list of its own.
    for (let isMany = false; ; isMany = !isMany) {
      const answer = await showList(step, isMany, load);
      if (answer !== 'switch') return answer;
    }
  } finally {
    left.abort();
  }
}

async function showList<T>(
  step: ListStep<T>,
  isMany: boolean,
  load: () => Promise<Rows<T>>,
): Promise<StepAnswer<readonly T[]> | 'switch'> {
  const picker = vscode.window.createQuickPick<PickRow<T>>();
  const many = {
    iconPath: new vscode.ThemeIcon(isMany ? 'list-selection' : 'checklist'),
    tooltip: isMany ? vscode.l10n.t('Choose one') : vscode.l10n.t('Choose several'),
  };
  Object.assign(picker, {
    title: step.title,
    placeholder: isMany ? step.several : step.placeholder,
    canSelectMany: isMany,
    ignoreFocusOut: true,
    matchOnDescription: true,
    busy: true,
    buttons: [
      ...(step.canGoBack ? [vscode.QuickInputButtons.Back] : []),
      ...(step.several === undefined ? [] : [many]),
    ],
  });
  let isClosed = false;
  let forget = (): void => undefined;
  try {
    return await new Promise<StepAnswer<readonly T[]> | 'switch'>((resolve, reject) => {
      forget = whenTakenBack(step, () => resolve(undefined));
      let ticked: readonly PickRow<T>[] = [];
      picker.onDidTriggerButton((button) => resolve(button === many ? 'switch' : 'back'));
      // The picker gives them in the order of the list: what was ticked first stays first.
      picker.onDidChangeSelection((rows) => {
        ticked = [
          ...ticked.filter((row) => rows.includes(row)),
          ...rows.filter((row) => !ticked.includes(row)),
        ];
      });
      picker.onDidAccept(() => {
        const chosen = isMany ? ticked : picker.selectedItems;
        const values = chosen.flatMap(({ value }) => (value === undefined ? [] : [value]));
        if (values.length > 0) resolve({ value: values });
      });
      picker.onDidHide(() => resolve(undefined));
      picker.show();
      const fill = (rows: Rows<T>): void => {
        if (isClosed) return;
        picker.busy = false;
        if ('done' in rows) {
          resolve({ value: [rows.done] });
          return;
        }
        picker.items = isMany ? rows.filter(({ isAlone }) => isAlone !== true) : rows;
        // A row that only tells something is not what Enter is for.
        picker.activeItems = picker.items.filter(({ value }) => value !== undefined).slice(0, 1);
      };
      load().then(fill, reject);
    });
  } finally {
    isClosed = true;
    forget();
    picker.dispose();
  }
}

export interface InputButton extends vscode.QuickInputButton {
  /** What the box holds afterwards; nothing leaves it. */
  readonly run: () => string | undefined;
}

interface InputStep<T> extends StepHead {
  readonly prompt: string;
  readonly value?: string;
  readonly password?: boolean;
  readonly buttons?: readonly InputButton[];
  /** Turns what was entered into the answer; what it throws is shown at the box, with its hint, to be corrected there. */
  readonly accept: (text: string, signal: AbortSignal) => Promise<T> | T;
}

/** A box to fill in. */
export async function inputStep<T>(step: InputStep<T>): Promise<StepAnswer<T>> {
  const box = vscode.window.createInputBox();
  const left = new AbortController();
  Object.assign(box, {
    title: step.title,
    placeholder: step.placeholder,
    prompt: step.prompt,
    value: step.value ?? '',
    password: step.password === true,
    ignoreFocusOut: true,
    buttons: [...(step.canGoBack ? [vscode.QuickInputButtons.Back] : []), ...(step.buttons ?? [])],
  });
  const accept = async (): Promise<StepAnswer<T>> => {
    box.validationMessage = undefined;
    box.busy = true;
    box.enabled = false;
    try {
      return { value: await step.accept(box.value.trim(), left.signal) };
    } catch (error) {
      if (!left.signal.aborted) box.validationMessage = problemText(error);
      return undefined;
    } finally {
      box.busy = false;
      box.enabled = true;
    }
  };
  let forget = (): void => undefined;
  try {
    return await new Promise<StepAnswer<T>>((resolve) => {
      forget = whenTakenBack(step, () => resolve(undefined));
      box.onDidTriggerButton((button) => {
        if (button === vscode.QuickInputButtons.Back) resolve('back');
        box.value = step.buttons?.find((each) => each === button)?.run() ?? box.value;
      });
      box.onDidChangeValue(() => {
        box.validationMessage = undefined;
      });
      box.onDidAccept(() => {
        void accept().then((answer) => {
          if (answer !== undefined) resolve(answer);
        });
      });
      box.onDidHide(() => resolve(undefined));
      box.show();
    });
  } finally {
    left.abort();
    forget();
    box.dispose();
  }
}

/** What went wrong and what to do, as one line that no server can put a link into. */
export function problemText(error: unknown): string {
  const message = errorMessage(error);
  const hint = error instanceof PincerError ? error.hint : undefined;
  if (hint === undefined) return notificationText(message);
  return notificationText(`${message}${/[.!?…]$/u.test(message) ? '' : '.'} ${hint}`);
}
