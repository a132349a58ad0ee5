// Threat: Windows runs .cmd and .bat files by cmd.exe, which reads their arguments as its own syntax: `npm test "&calc"`
// would start calc however the argument is quoted. Only arguments without any sign that means something to it are passed on.
import { win32 } from 'node:path';
import { unsafeBatchArgument } from './sandboxErrors.ts';

/** How a program that was found is started. */
interface ProgramCall {
  readonly file: string;
  readonly args: readonly string[];
  /** Windows only: the arguments go on as they are, unquoted (Node's `windowsVerbatimArguments`). */
  readonly isVerbatim?: boolean;
}

const safeArgument = /^[\w\-./:\\=+@]+$/u;
const safePath = /^[^"%!^&|<>\r\n]+$/u;

/** How to start the program at `path`: a batch file by cmd.exe. Pure. @throws PincerError `argument_unsafe` */
export function planProgramCall(
  platform: NodeJS.Platform,
  systemRoot: string,
  path: string,
  args: readonly string[],
): ProgramCall {
  if (platform !== 'win32' || !isBatch(path)) return { file: path, args };
  const unsafe = unsafePart(path, args);
  if (unsafe !== undefined) throw unsafeBatchArgument(unsafe);
  return planCmdCall(systemRoot, [`"${path}"`, ...args].join(' '));
}

/** True where `planProgramCall` gives a call. Pure. */
export function canCallProgram(platform: NodeJS.Platform, path: string, args: readonly string[]): boolean {
  return platform !== 'win32' || !isBatch(path) || unsafePart(path, args) === undefined;
}

function isBatch(path: string): boolean {
  return /\.(?:bat|cmd)$/iu.test(path);
}

function unsafePart(path: string, args: readonly string[]): string | undefined {
  return safePath.test(path) ? args.find((each) => !safeArgument.test(each)) : path;
}

/** A line for cmd.exe as it stands: `/s` takes the outer quotes away and nothing else. Pure. */
export function planCmdCall(systemRoot: string, line: string): ProgramCall {
  return {
    file: win32.join(systemRoot, 'System32', 'cmd.exe'),
    args: ['/d', '/s', '/c', `"${line}"`],
    isVerbatim: true,
  };
}
