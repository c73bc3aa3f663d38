import type { Workbench } from './workbench.ts';

const themes = {
  light: { id: 'Visual Studio Light', className: 'vs' },
  dark: { id: 'Visual Studio Dark', className: 'vs-dark' },
  'high-contrast': { id: 'Default High Contrast', className: 'hc-black' },
  'high-contrast-light': { id: 'Default High Contrast Light', className: 'hc-light' },
} as const;

/** A kind of theme, as in `vscode.ColorThemeKind`. */
export type ThemeKind = keyof typeof themes;

/** Switches the theme through the settings and waits until the window wears it. */
export async function switchTheme(workbench: Workbench, kind: ThemeKind): Promise<void> {
  const { id, className } = themes[kind];
  await workbench.updateSettings({ 'workbench.colorTheme': id });
  await workbench.page.locator(`.monaco-workbench.${className}`).waitFor();
}
