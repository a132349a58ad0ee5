import { createEmitter, type Emitter, type Event } from '../../base/event.ts';

/** Which of the questions that the Chat view has shown whole have been scrolled out of its sight since. */
export interface QuestionVisibility {
  isAway(id: string): boolean;
  note(id: string, isVisible: boolean): void;
  /** The page begins anew, and tells again what it shows. */
  forget(): void;
  readonly onDidChange: Event<void>;
}

/** Made once for a window: the Chat view tells it, the notifications ask it. */
export function createQuestionVisibility(): QuestionVisibility {
  const away = new Set<string>();
  const changed: Emitter<void> = createEmitter();
  return {
    isAway: (id) => away.has(id),
    note(id, isVisible) {
      if (isVisible === !away.has(id)) return;
      if (isVisible) away.delete(id);
      else away.add(id);
      changed.fire();
    },
    forget: () => away.clear(),
    onDidChange: changed.event,
  };
}
