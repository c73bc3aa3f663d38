import type { HostContext } from './bridge.ts';

/**
 * Hosts other than VS Code name their colours and fonts by the variables of MCP Apps: ours, by theirs. In VS Code the page has
 * the editor's own variables.
 */
const NAMES: Readonly<Record<string, string>> = {
  foreground: '--color-text-primary',
  descriptionForeground: '--color-text-secondary',
  disabledForeground: '--color-text-tertiary',
  errorForeground: '--color-text-danger',
  'editor-background': '--color-background-primary',
  'editorWidget-background': '--color-background-secondary',
  'widget-border': '--color-border-primary',
  focusBorder: '--color-ring-primary',
  'textLink-foreground': '--color-text-info',
  'button-background': '--color-background-inverse',
  'button-foreground': '--color-text-inverse',
  'button-secondaryBackground': '--color-background-secondary',
  'button-secondaryForeground': '--color-text-primary',
  'input-background': '--color-background-primary',
  'input-foreground': '--color-text-primary',
  'input-border': '--color-border-primary',
  'settings-textInputBorder': '--color-border-primary',
  'settings-checkboxBorder': '--color-border-primary',
  'settings-checkboxBackground': '--color-background-primary',
  'settings-dropdownBackground': '--color-background-primary',
  'settings-dropdownForeground': '--color-text-primary',
  'settings-dropdownBorder': '--color-border-primary',
  'list-hoverBackground': '--color-background-tertiary',
  'list-activeSelectionBackground': '--color-background-tertiary',
  'list-activeSelectionForeground': '--color-text-primary',
  'badge-background': '--color-border-secondary',
  'font-family': '--font-sans',
  'editor-font-family': '--font-mono',
};

/** What a page looks like where a host says nothing. */
const FALLBACKS: Readonly<Record<string, string>> = {
  foreground: 'CanvasText',
  descriptionForeground: 'GrayText',
  errorForeground: 'light-dark(#b01011, #f48771)',
  'editor-background': 'Canvas',
  'editorWidget-background': 'Canvas',
  'widget-border': 'color-mix(in srgb, CanvasText 25%, Canvas)',
  'input-border': 'color-mix(in srgb, CanvasText 40%, Canvas)',
  focusBorder: 'Highlight',
  'textLink-foreground': 'LinkText',
  'button-background': 'light-dark(#005fb8, #0078d4)',
  'button-foreground': '#ffffff',
  'button-secondaryBackground': 'color-mix(in srgb, CanvasText 12%, Canvas)',
  'button-secondaryForeground': 'CanvasText',
  'font-family': 'system-ui, sans-serif',
  'font-size': '13px',
};

/** Dresses the page in what the host says, unless the host is VS Code, whose variables are there. */
export function wear({ theme, styles }: HostContext, document: Document): void {
  const { documentElement: root, body } = document;
  const isVsCode =
    getComputedStyle(root).getPropertyValue('--vscode-foreground') !== '' && !root.dataset.worn;
  if (isVsCode) return;
  root.dataset.worn = 'true';
  root.style.colorScheme = theme ?? 'light dark';
  if (theme) body.classList.toggle('vscode-dark', theme === 'dark');
  if (theme) body.classList.toggle('vscode-light', theme === 'light');
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (/^--[a-z0-9-]+$/.test(name)) root.style.setProperty(name, value);
  }
  for (const name of new Set([...Object.keys(NAMES), ...Object.keys(FALLBACKS)])) {
    const theirs = NAMES[name];
    const fallback = FALLBACKS[name] ?? 'initial';
    root.style.setProperty(`--vscode-${name}`, theirs ? `var(${theirs}, ${fallback})` : fallback);
  }
}
