/** How it is shown that a point holds. */
export type PointProof =
  /** A folder beside this file: see `pointSample.ts`. Several points may share one where they are one rule. */
  | { readonly kind: 'sample'; readonly folder: string }
  /** A heading of a document of the project. */
  | { readonly kind: 'document'; readonly path: string; readonly heading: string }
  /** A test of another layer, by its name there; `rule` is what it shows. */
  | { readonly kind: 'test'; readonly path: string; readonly name: string; readonly rule: string }
  | { readonly kind: 'not built'; readonly reason: string };

export interface PointRow {
  /** 1 to 72, as the checklist of the dialect counts. */
  readonly point: number;
  readonly rule: string;
  readonly proof: PointProof;
}

/** Every point of the checklist of the dialect, with what shows it. */
export const pointTable: readonly PointRow[] = [
  shown(1, 'plugins are TypeScript or JavaScript', '01-typescript-and-javascript'),
  shown(2, 'nothing needs to be installed for TypeScript', '02-nothing-to-install'),
  shown(3, 'a default export', '03-default-export'),
  shown(4, 'a class that can be made', '04-class-made-once'),
  shown(5, 'at least one extension point', '05-one-extension-point'),
  shown(6, 'initialize and cleanup are functions', '06-initialize-and-cleanup'),
  shown(7, 'absolute paths', '07-absolute-path'),
  shown(8, 'the folder of the agent file as a variable', '08-agent-dir'),
  shown(9, 'a relative path is refused, with what to write', '09-relative-path-refused'),
  shown(10, 'only what the file lists runs', '10-only-what-is-listed'),
  shown(11, 'one plugin that fails stops the agent and is named', '11-fail-fast'),
  shown(12, 'one instance of each plugin', '12-one-instance'),
  shown(13, 'built-in plugins are there by their names', '13-built-ins'),
  shown(14, 'built-in plugins come from one registry', '14-registry'),
  shown(15, 'all load, then all are initialized in order', '15-startup-order'),
  shown(16, 'a built-in plugin runs where the file names it', '16-named-means-on'),
  shown(17, 'fields of a custom plugin and their defaults', '17-custom-fields'),
  shown(18, 'options of built-in plugins are strict', '18-strict-options'),
  shown(19, 'built-in plugins have no module, custom ones do', '19-two-forms'),
  shown(20, 'priorities are whole numbers, each its own, lower first', '20-priorities'),
  shown(21, 'plugins can be switched off', '21-enabled'),
  shown(22, 'secrets come from the environment', '22-secrets'),
  shown(23, 'plugins are an object of the file', '23-one-object'),
  shown(24, 'four extension points', '24-four-points'),
  shown(25, 'results and notices', '25-results'),
  shown(26, 'the execution context', '26-context'),
  shown(27, 'a logger that knows plugin, session and tenant', '27-logger'),
  shown(28, 'services to read, storage to write', '28-services'),
  shown(29, 'every field of every payload', '29-payloads'),
  shown(30, 'every field that may change can be changed', '30-modify'),
  shown(31, 'what @dexto/core exports', '31-dexto-core'),
  shown(32, 'plugins are among the services', '32-listing'),
  shown(33, 'from plugin to plugin, one after the other', '33-pass-through'),
  shown(34, 'a time limit for each call', '34-time-limit'),
  shown(35, 'blocking and not blocking', '35-blocking'),
  shown(36, 'each call is logged with its duration', '36-logged'),
  shown(37, 'notices go to log, trace and events', '37-notices'),
  shown(38, 'errors of the dialect', '38-errors'),
  shown(39, 'HTTP status by the codes of notices', '39-http-status'),
  shown(40, 'where beforeLLMRequest stands', '40-a-request-is-judged-once-a-turn'),
  shown(41, 'where beforeToolCall stands', '41-a-call-is-judged-before-it-is-asked-about'),
  shown(42, 'where afterToolResult stands', '42-results-are-judged-once-success-and-failure'),
  shown(43, 'where beforeResponse stands', '43-an-answer-is-shown-and-stored-as-judged'),
  shown(44, 'the context is that of the turn', '44-the-context-knows-turn-and-services'),
  shown(45, 'tenants by async context', '45-the-tenant-comes-from-the-async-context'),
  shown(46, 'turns and tools have the same plugins', '46-turns-and-tools-share-one-set-of-plugins'),
  shown(47, 'cleanup at the end', '47-cleanup-runs-in-reverse-at-the-end'),
  shown(48, 'the content policy', '48-content-policy'),
  shown(49, 'the response sanitizer', '49-response-sanitizer'),
  shown(50, 'built-in plugins and their defaults', '50-built-ins-without-options'),
  shown(51, 'the hooks that plugins came from', '51-the-hooks-of-later-versions'),
  shown(52, 'plugins in a chain', '52-each-gets-what-the-one-before-left'),
  shown(53, 'shapes and paths of modules', '53-what-can-be-no-plugin-is-named'),
  shown(54, 'built-in beside custom plugins', '54-built-in-and-custom-in-one-order'),
  shown(55, 'blocking, time and tenants together', '55-a-slow-guard-stops-and-a-slow-audit-does-not'),
  shown(56, 'a whole plugin in the whole program', '56-the-tenant-example-of-the-spec'),
  documented(57, 'a guide, and every built-in plugin with its options', 'Built-in plugins'),
  documented(58, 'how to get here from hooks, with examples', 'Migration'),
  documented(59, 'the warning that plugins are trusted code', 'Plugins are trusted code'),
  shown(60, 'plugins from npm packages', '60-a-plugin-from-an-npm-package'),
  shown(61, 'hot reload', '61-saving-is-enough-to-reload'),
  shown(62, 'a build step for plugins', '62-a-folder-compiled-ahead'),
  shown(63, 'one file with a static registry', '63-one-file-with-a-static-registry'),
  {
    point: 64,
    rule: 'a DEXTO_RUNTIME switch',
    proof: {
      kind: 'test',
      path: 'test/package/bundle.test.ts',
      name: 'takes plugins from a bundle alone where DEXTO_RUNTIME is serverless, and leaves the home of the user alone',
      rule: 'where DEXTO_RUNTIME is serverless, plugins come from a bundle alone, no agent file of the machine is read, and home and state lie in the temporary folder',
    },
  },
  shown(65, 'other bundlers, tree-shaking, guides for platforms', '65-packed-by-the-projects-bundler'),
  shown(66, 'OpenTelemetry', '66-spans-and-metrics'),
  shown(67, 'a profile of each plugin', '67-how-each-plugin-does'),
  shown(68, 'dependencies between plugins', '68-dependencies'),
  shown(69, 'versions of plugins and of their API', '69-versions'),
  shown(70, 'life without AsyncLocalStorage', '70-without-async-local-storage'),
  notBuilt(
    71,
    'a sandbox for plugins',
    'plugins are trusted code that the user agrees to; their methods share live objects, which no worker thread could pass on',
  ),
  shown(72, 'state of one process and of all', '72-a-process-has-its-own-instances'),
];

function shown(point: number, rule: string, folder: string): PointRow {
  return { point, rule, proof: { kind: 'sample', folder } };
}

function documented(point: number, rule: string, heading: string): PointRow {
  return { point, rule, proof: { kind: 'document', path: 'docs/dexto.md', heading } };
}

function notBuilt(point: number, rule: string, reason: string): PointRow {
  return { point, rule, proof: { kind: 'not built', reason } };
}
