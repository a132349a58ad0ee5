import { inertLine } from '../base/text.ts';
import { describePackage, readFetched } from './fetchedPackage.ts';
import type { Launch } from './launch.ts';
import type { Inspection, ServerOrigin } from './mcpServers.ts';

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

/** All that a person should see before the server starts, one line each. Pure. */
export function describeStart({
  origin,
  launch,
  launchWarnings,
  launchChanges,
}: Inspection): readonly string[] {
  const line = (text: string): string => inertLine(text, 1_000);
  const facts =
    launch.kind === 'program'
      ? [
          `It runs: ${line([launch.command, ...launch.args].map(quoted).join(' '))}`,
          ...(launch.cwd === undefined ? [] : [`In: ${line(launch.cwd)}`]),
          `It gets these variables: ${launch.env.length === 0 ? 'none beside PATH, HOME and their like' : line(launch.env.join(', '))}`,
          ...(launch.sandbox === undefined ? packageLine(launch) : [`Sandbox: ${line(launch.sandbox)}`]),
          ...launch.files.map(({ path, sha256 }) => `File: ${line(path)} (SHA-256 ${sha256.slice(0, 16)}…)`),
        ]
      : [
          `It is at: ${line(launch.origin)}`,
          `It gets these headers: ${launch.headers.length === 0 ? 'none' : line(launch.headers.join(', '))}`,
        ];
  return [
    `Named in ${describeServerOrigin(origin)}`,
    ...facts,
    ...(launchChanges ?? []).map((change) => `Changed: ${line(change)}`),
    ...launchWarnings.map((warning) => `Warning: ${line(warning)}`),
  ];
}

function packageLine({ command, args, installed }: Extract<Launch, { kind: 'program' }>): readonly string[] {
  const fetched = readFetched(command, args);
  return fetched === undefined ? [] : [`Package: ${inertLine(describePackage(fetched, installed), 1_000)}`];
}

/** All that a person should see of what it brings; empty as long as it may not start. Pure. */
export function describeBrings({ brings }: Inspection): readonly string[] {
  if (brings === undefined) return [];
  const { tools, problems, changes } = brings;
  const line = (text: string): string => inertLine(text, 1_000);
  return [
    ...tools.flatMap(({ tool, warnings }) => [
      `${line(tool.name)}: ${line(tool.description)}`,
      ...warnings.map((warning) => `  Warning: ${line(warning)}`),
    ]),
    ...problems.map((problem) => `Left out: ${line(problem)}`),
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
