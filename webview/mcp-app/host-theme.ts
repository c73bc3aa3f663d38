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
  'button-hoverBackground': '--color-background-inverse',
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
  'charts-red': '--color-text-danger',
  'charts-green': '--color-text-success',
  'charts-yellow': '--color-text-warning',
  'charts-blue': '--color-text-info',
  'editor-foreground': '--color-text-primary',
  'menu-background': '--color-background-primary',
  'menu-foreground': '--color-text-primary',
  'font-family': '--font-sans',
  'editor-font-family': '--font-mono',
};

const mixed = (percent: number): string => `color-mix(in srgb, CanvasText ${percent}%, Canvas)`;
const tinted = (colour: string): string => `color-mix(in srgb, var(--vscode-charts-${colour}) 15%, Canvas)`;

/** What a page looks like where a host says nothing. */
const FALLBACKS: Readonly<Record<string, string>> = {
  foreground: 'CanvasText',
  descriptionForeground: mixed(70),
  disabledForeground: mixed(50),
  errorForeground: 'light-dark(#b01011, #f48771)',
  'editor-background': 'Canvas',
  'editor-foreground': 'CanvasText',
  'editorWidget-background': 'Canvas',
  'widget-border': mixed(25),
  'input-background': 'Canvas',
  'input-foreground': 'CanvasText',
  'input-border': mixed(40),
  'input-placeholderForeground': mixed(65),
  'settings-checkboxBackground': 'Canvas',
  'settings-checkboxForeground': 'CanvasText',
  'settings-checkboxBorder': mixed(50),
  'settings-dropdownBackground': 'Canvas',
  'settings-dropdownForeground': 'CanvasText',
  'settings-dropdownBorder': mixed(40),
  focusBorder: 'light-dark(#005fb8, #3794ff)',
  'textLink-foreground': 'light-dark(#005fb8, #4daafc)',
  'textCodeBlock-background': mixed(8),
  'button-background': 'light-dark(#005fb8, #0e639c)',
  'button-foreground': '#ffffff',
  'button-hoverBackground': 'light-dark(#0258a8, #1177bb)',
  'button-secondaryBackground': mixed(12),
  'button-secondaryForeground': 'CanvasText',
  'button-secondaryHoverBackground': mixed(20),
  'list-hoverBackground': mixed(8),
  'list-activeSelectionBackground': mixed(15),
  'list-activeSelectionForeground': 'CanvasText',
  'toolbar-hoverBackground': mixed(10),
  'menu-background': 'Canvas',
  'menu-foreground': 'CanvasText',
  'menu-border': mixed(25),
  'menu-selectionBackground': mixed(12),
  'menu-selectionForeground': 'CanvasText',
  'badge-background': mixed(20),
  'progressBar-background': 'light-dark(#005fb8, #3794ff)',
  'charts-blue': 'light-dark(#1a6fc4, #4daafc)',
  'charts-red': 'light-dark(#c72e0f, #f48771)',
  'charts-green': 'light-dark(#2f7d32, #89d185)',
  'charts-yellow': 'light-dark(#8a6100, #e2c08d)',
  'charts-purple': 'light-dark(#652d90, #c586c0)',
  'testing-iconPassed': 'var(--vscode-charts-green)',
  'editorInfo-foreground': 'var(--vscode-charts-blue)',
  'editorWarning-foreground': 'var(--vscode-charts-yellow)',
  'inputValidation-errorBorder': 'var(--vscode-charts-red)',
  'inputValidation-warningBackground': tinted('yellow'),
  'inputValidation-infoBackground': tinted('blue'),
  'diffEditor-insertedTextBackground': tinted('green'),
  'diffEditor-removedTextBackground': tinted('red'),
  'font-family': 'system-ui, sans-serif',
  'font-size': '13px',
  'editor-font-family': 'ui-monospace, monospace',
};

/** The person's own few colours, which take the place of all others (forced colours, Windows' contrast themes). */
const FORCED: Readonly<Record<string, string>> = {
  contrastBorder: 'CanvasText',
  contrastActiveBorder: 'Highlight',
  foreground: 'CanvasText',
  descriptionForeground: 'CanvasText',
  disabledForeground: 'GrayText',
  errorForeground: 'CanvasText',
  focusBorder: 'Highlight',
  'editor-background': 'Canvas',
  'editor-foreground': 'CanvasText',
  'textLink-foreground': 'LinkText',
  'button-background': 'Highlight',
  'button-hoverBackground': 'Highlight',
  'button-foreground': 'HighlightText',
  'button-secondaryBackground': 'ButtonFace',
  'button-secondaryForeground': 'ButtonText',
  'list-activeSelectionBackground': 'Highlight',
  'list-activeSelectionForeground': 'HighlightText',
  'menu-selectionBackground': 'Highlight',
  'menu-selectionForeground': 'HighlightText',
};

/** Whether the person's system replaces the colours of pages. */
const FORCES = '(forced-colors: active)';

/**
 * Dresses the page in what the host says, now and whenever it says something else, unless the host is VS Code, whose variables are
 * there. A host says only what has changed.
 */
export function dress(first: HostContext, changes: (listener: (changed: HostContext) => void) => void): void {
  let context = first;
  const forces = matchMedia(FORCES);
  const again = (): void => wear(context, document, forces.matches);
  changes((changed) => {
    context = { ...context, ...changed };
    again();
  });
  forces.addEventListener('change', again);
  again();
}

/** Dresses the page once. */
function wear(
  { theme, styles }: HostContext,
  { documentElement: root, body }: Document,
  forced: boolean,
): void {
  const isVsCode =
    getComputedStyle(root).getPropertyValue('--vscode-foreground') !== '' && !root.dataset.worn;
  if (isVsCode) return;
  root.dataset.worn = 'true';
  root.style.colorScheme = theme ?? 'light dark';
  body.classList.toggle('vscode-high-contrast', forced);
  body.classList.toggle('vscode-dark', !forced && theme === 'dark');
  body.classList.toggle('vscode-light', !forced && theme === 'light');
  for (const [name, value] of Object.entries(styles?.variables ?? {})) {
    if (/^--[a-z0-9-]+$/.test(name)) root.style.setProperty(name, value);
  }
  for (const name of new Set([...Object.keys(NAMES), ...Object.keys(FALLBACKS), ...Object.keys(FORCED)])) {
    const theirs = NAMES[name];
    const fallback = FALLBACKS[name] ?? 'initial';
    const plain = theirs ? `var(${theirs}, ${fallback})` : fallback;
    const value = (forced && FORCED[name]) || plain;
    root.style.setProperty(`--vscode-${name}`, value);
  }
}
