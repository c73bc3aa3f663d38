/** What {@link Codicon} takes. */
export interface IconProps {
  /** A codicon's name, or the text of an SVG image. */
  readonly name: string;
  /** For icons that say something which no text beside them says. */
  readonly label?: string | undefined;
  readonly className?: string | undefined;
}

/** An icon of VS Code's own set, or a tool's SVG, as an image: its scripts never run and its styles never leak. */
export function Codicon({ name, label, className = '' }: IconProps) {
  const aria = label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label };
  if (name.trimStart().startsWith('<svg')) {
    const source = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(name)}`;
    return <img className={`p-icon ${className}`} src={source} alt={label ?? ''} />;
  }
  // Only what can be a codicon's name gets into the class list.
  const codicon = /^[a-z0-9-]+$/.test(name) ? name : 'tools';
  return <span className={`codicon codicon-${codicon} ${className}`} {...aria} />;
}
