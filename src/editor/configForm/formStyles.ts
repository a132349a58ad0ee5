/** The form's looks: VS Code's own colours and fonts in every theme, high contrast included. */
export const formStyles = `
  body { padding: 0 24px 32px; max-width: 720px; line-height: 1.45; background: var(--vscode-editor-background); }
  h1 { font-size: 1.5em; font-weight: 600; margin: 20px 0 4px; overflow-wrap: anywhere; }
  .about { color: var(--vscode-descriptionForeground); margin: 0 0 16px; overflow-wrap: anywhere; }
  .field { margin: 0 0 18px; }
  label, legend { font-weight: 600; overflow-wrap: anywhere; }
  fieldset { border: 0; border-left: 2px solid var(--vscode-panel-border); margin: 0 0 18px; padding: 0 0 0 14px; }
  legend { padding: 0; margin-bottom: 8px; }
  details { margin: 0 0 18px; }
  summary { cursor: pointer; margin-bottom: 12px; color: var(--vscode-textLink-foreground); }
  .help { color: var(--vscode-descriptionForeground); margin: 2px 0 4px; overflow-wrap: anywhere; }
  .required { color: var(--vscode-descriptionForeground); font-weight: normal; }
  input:not([type=checkbox]), select, textarea {
    box-sizing: border-box; width: 100%; padding: 4px 6px; border-radius: 2px;
    font-family: var(--vscode-font-family); font-size: var(--vscode-font-size);
    color: var(--vscode-input-foreground); background: var(--vscode-input-background);
    border: 1px solid var(--vscode-input-border, var(--vscode-contrastBorder, var(--vscode-panel-border)));
  }
  select { color: var(--vscode-dropdown-foreground); background: var(--vscode-dropdown-background); }
  input[inputmode=decimal] { max-width: 180px; }
  textarea { resize: vertical; min-height: 4.5em; }
  textarea.json { font-family: var(--vscode-editor-font-family); }
  ::placeholder { color: var(--vscode-input-placeholderForeground); }
  :focus-visible { outline: 1px solid var(--vscode-focusBorder); outline-offset: -1px; }
  [aria-invalid=true]:not([type=checkbox]) { border-color: var(--vscode-inputValidation-errorBorder); }
  .check { display: flex; align-items: baseline; gap: 8px; }
  .clear { margin-top: 4px; font-weight: normal; }
  .clear label { font-weight: normal; }
  .message { color: var(--vscode-errorForeground); margin: 3px 0 0; }
  .buttons { display: flex; flex-wrap: wrap; gap: 8px; margin: 24px 0 0; }
  button {
    padding: 5px 14px; border-radius: 2px; cursor: pointer; font: inherit;
    border: 1px solid var(--vscode-contrastBorder, transparent);
    color: var(--vscode-button-secondaryForeground); background: var(--vscode-button-secondaryBackground);
  }
  button:hover { background: var(--vscode-button-secondaryHoverBackground); }
  button[type=submit] { color: var(--vscode-button-foreground); background: var(--vscode-button-background); }
  button[type=submit]:hover { background: var(--vscode-button-hoverBackground); }
  button:focus-visible { outline-offset: 2px; }
  #verdict {
    margin: 16px 0; padding: 8px 12px; border: 1px solid var(--vscode-inputValidation-infoBorder);
    background: var(--vscode-inputValidation-infoBackground); overflow-wrap: anywhere;
  }
  #verdict p { margin: 0; }
  #verdict ul { margin: 4px 0 0; padding-left: 20px; }
  #verdict.warn { border-color: var(--vscode-inputValidation-warningBorder); background: var(--vscode-inputValidation-warningBackground); }
  #verdict.error { border-color: var(--vscode-inputValidation-errorBorder); background: var(--vscode-inputValidation-errorBackground); }
  [hidden] { display: none !important; }
`;
