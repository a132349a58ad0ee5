/** What stands between the parts of a question, and what looks like it. */
const marks = /[·•‧∙⋅・]/gu;

/** Threat: in what a plugin or a model writes, the mark between the parts would begin one that passes for another's. Pure. */
export function withoutMarks(text: string): string {
  return text.replaceAll(marks, '-');
}
