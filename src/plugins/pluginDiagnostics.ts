import type { Diagnostic, DiagnosticFix } from '../contracts/diagnostic.ts';

/** What a diagnostic is about, beside its text. */
export interface DiagnosticSubject {
  readonly pluginId?: string;
  readonly source?: string;
  readonly line?: number;
  readonly column?: number;
  readonly hint?: string;
  readonly fixes?: readonly DiagnosticFix[];
}

export function errorDiagnostic(code: string, message: string, subject: DiagnosticSubject = {}): Diagnostic {
  return { level: 'error', code, message, ...subject };
}

export function warnDiagnostic(code: string, message: string, subject: DiagnosticSubject = {}): Diagnostic {
  return { level: 'warn', code, message, ...subject };
}

export function infoDiagnostic(code: string, message: string, subject: DiagnosticSubject = {}): Diagnostic {
  return { level: 'info', code, message, ...subject };
}
