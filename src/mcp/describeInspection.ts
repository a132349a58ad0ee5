// Threat: an entry of a workspace has a command line, or a list of variables, that is longer than a question, and its end does the harm. So
// what decides about what runs is shown to its last character, hidden ones as codes, and what is too long for that can't be agreed to.
import { showHiddenLine } from '../approvals/showHidden.ts';
import { inertLine, truncate } from '../base/text.ts';
import { describePackage } from './installedPackage.ts';
import { describeInvalidation, shortValue, type Launch } from './launch.ts';
import type { Inspection, ServerOrigin } from './mcpServers.ts';
import { isOwnProgram } from './npxStart.ts';
import { readFetched } from './readFetched.ts';

/** Where a server is named, as the end of a sentence. */
export function describeServerOrigin(origin: ServerOrigin): string {
  switch (origin.kind) {
    case 'user':
      return 'your config';
    case 'file':
      return inertLine(origin.path, 300);
    case 'plugin':
      return `the plugin ${inertLine(origin.pluginId, 80)}`;
  }
}

/** Characters of a command line, or of a list of variables, that a question has room for. */
const maxShown = 4_000;

/** What decides about what runs, as `describeStart` shows it. */
function deciding(launch: Launch): readonly string[] {
  const texts =
    launch.kind === 'program'
      ? [
          [launch.command, ...launch.args].map(quoted).join(' '),
          launch.cwd ?? '',
          launch.env.map(shortValue).join(', '),
        ]
      : [launch.origin, '', launch.headers.map(shortValue).join(', ')];
  // A tail behind a screen of spaces is not seen either.
  return texts.map((text) =>
    showHiddenLine(text).replace(/ {8,}/gu, ({ length }) => `⟨${String(length)} spaces⟩`),
  );
}

/** Whether a person can be shown all that decides about what runs. Pure. */
export function canBeShown(launch: Launch): boolean {
  return deciding(launch).every((text) => text.length <= maxShown);
}

/** All that a person should see before the server starts, one line each. Pure. */
export function describeStart({
  origin,
  launch,
  launchWarnings,
  launchChanges,
}: Inspection): readonly string[] {
  const line = (text: string): string => inertLine(text, 1_000);
  const [target = '', folder = '', values = ''] = deciding(launch).map((text) => truncate(text, maxShown));
  const facts =
    launch.kind === 'program'
      ? [
          `It runs: ${target}`,
          ...(folder === '' ? [] : [`In: ${folder}`]),
          ...(launch.runsIn === undefined ? [] : [`With code of: ${line(launch.runsIn)}`]),
          `It gets these variables: ${values === '' ? 'none beside PATH, HOME and their like' : values}`,
          ...(launch.sandbox === undefined ? packageLine(launch) : [`Sandbox: ${line(launch.sandbox)}`]),
          ...launch.files.map(({ path, sha256 }) => `File: ${line(path)} (SHA-256 ${sha256.slice(0, 16)}…)`),
        ]
      : [`It is at: ${target}`, `It gets these headers: ${values === '' ? 'none' : values}`];
  return [
    `Named in ${describeServerOrigin(origin)}`,
    ...facts,
    ...(launchChanges?.length === 0 ? [`Asked again: ${describeInvalidation(launchChanges)}.`] : []),
    ...(launchChanges ?? []).map((change) => `Changed: ${line(change)}`),
    ...launchWarnings.map((warning) => `Warning: ${line(warning)}`),
  ];
}

function packageLine(launch: Extract<Launch, { kind: 'program' }>): readonly string[] {
  const fetched = readFetched(launch.command, launch.args);
  return fetched === undefined || isOwnProgram(fetched, launch)
    ? []
    : [`Package: ${inertLine(describePackage(fetched, launch.installed), 1_000)}`];
}

/** All that a person should see of what it brings; empty as long as it may not start. Pure. */
export function describeBrings({ brings }: Inspection): readonly string[] {
  if (brings === undefined) return [];
  const { tools, problems, changes, leftOut } = brings;
  const line = (text: string): string => inertLine(text, 1_000);
  return [
    ...tools.flatMap(({ tool, warnings }) => [
      `${line(tool.name)}: ${line(tool.description)}`,
      ...warnings.map((warning) => `  Warning: ${line(warning)}`),
    ]),
    ...problems.map((problem) => `Left out: ${line(problem)}`),
    ...leftOut.map((name) => `Left out by you: ${line(name)}`),
    ...(changes === undefined
      ? []
      : [
          ...changes.changed.flatMap(({ name, lines }) => [
            `Changed: ${line(name)}`,
            ...lines.map((each) => `  ${line(each)}`),
          ]),
          ...changes.added.map((name) => `New: ${line(name)}`),
          ...changes.removed.map((name) => `Gone: ${line(name)}`),
        ]),
  ];
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/u.test(word) ? word : JSON.stringify(word);
}
