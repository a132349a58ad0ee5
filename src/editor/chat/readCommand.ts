/** Which command was given, and what stands behind it. */
export interface CommandWords {
  readonly command: string | undefined;
  readonly prompt: string;
}

/**
 * The command of a request. One that the panel offers is told apart by the panel; one that is only typed begins what the user wrote.
 * Pure.
 */
export function readCommand(
  { command, prompt }: { readonly command?: string | undefined; readonly prompt: string },
  isTyped: (name: string) => boolean,
): CommandWords {
  if (command !== undefined) return { command, prompt };
  const { name, rest } = /^\s*\/(?<name>[a-z]+)(?:\s+(?<rest>.*))?$/isu.exec(prompt)?.groups ?? {};
  const typed = name?.toLowerCase();
  if (typed === undefined || !isTyped(typed)) return { command, prompt };
  return { command: typed, prompt: rest ?? '' };
}
