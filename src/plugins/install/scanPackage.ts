import { isRecord } from '../../base/json.ts';
import type { PluginFile } from '../consent/readPluginFiles.ts';
import { scanAsks } from '../consent/scanAsks.ts';
import type { PluginAsks, PluginManifest } from '../pluginTypes.ts';
import { findInCode, type InstallFinding, type Severity } from './findInCode.ts';

/** What a package is going to do, as far as its files tell. A help for the person who decides, no proof. */
export interface PackageScan {
  readonly asks: PluginAsks;
  /** Compiled code, or instructions to compile some. */
  readonly nativeParts: readonly string[];
  /** Scripts that a package manager would run; none is run here. */
  readonly installScripts: readonly { readonly name: string; readonly command: string }[];
  /** Packages it needs and does not bring; without those that the host provides. */
  readonly missingDependencies: readonly string[];
  /** Bytes of all files. */
  readonly size: number;
  readonly fileCount: number;
  readonly findings: readonly InstallFinding[];
}

const installScriptNames = ['preinstall', 'install', 'postinstall', 'prepare'];

/** Resolve even where a plugin brings none. */
const hostPackages =
  /^(?:openclaw|@openclaw\/plugin-sdk|@sinclair\/typebox|typebox|zod|ajv|commander)(?:\/|$)/u;

/** Reads a package without running anything of it. Pure. */
export function scanPackage(files: readonly PluginFile[], manifest: PluginManifest): PackageScan {
  const packageJson = readPackageJson(files);
  const nativeParts = files.map(({ path }) => path).filter(isNative);
  const installScripts = scriptsOf(packageJson);
  const missingDependencies = missingOf(packageJson, files);
  const about = (ruleId: string, severity: Severity, file: string, message: string): InstallFinding => ({
    ruleId,
    severity,
    file,
    line: 1,
    message,
  });
  return {
    asks: scanAsks(files, manifest),
    nativeParts,
    installScripts,
    missingDependencies,
    size: files.reduce((all, file) => all + (file.kind === 'file' ? file.content.byteLength : 0), 0),
    fileCount: files.length,
    findings: [
      ...nativeParts.map((path) =>
        about('native-code', 'warn', path, 'compiled code, which nothing here can look into'),
      ),
      ...installScripts.map(({ name, command }) =>
        about('install-script', 'warn', 'package.json', `script "${name}" is not run here: ${command}`),
      ),
      ...missingDependencies.map((name) =>
        about('missing-dependency', 'warn', 'package.json', `needs ${name}, which it does not bring`),
      ),
      ...findInCode(files),
    ],
  };
}

/** The package.json at the root, where it is a JSON object. */
export function readPackageJson(files: readonly PluginFile[]): Readonly<Record<string, unknown>> {
  const file = files.find(({ path }) => path === 'package.json');
  if (file?.kind !== 'file') return {};
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(file.content));
    return isRecord(value) ? value : {};
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

function isNative(path: string): boolean {
  return /\.(?:node|dll|dylib|so|exe)$|(?:^|\/)(?:binding\.gyp|prebuilds\/.+)$/u.test(path);
}

function scriptsOf({ scripts }: Readonly<Record<string, unknown>>): PackageScan['installScripts'] {
  if (!isRecord(scripts)) return [];
  return installScriptNames.flatMap((name) => {
    const command = scripts[name];
    return typeof command === 'string' ? [{ name, command }] : [];
  });
}

function missingOf(
  { dependencies }: Readonly<Record<string, unknown>>,
  files: readonly PluginFile[],
): readonly string[] {
  if (!isRecord(dependencies)) return [];
  const paths = new Set(files.map(({ path }) => path));
  return Object.keys(dependencies).filter(
    (name) => !hostPackages.test(name) && !paths.has(`node_modules/${name}/package.json`),
  );
}
