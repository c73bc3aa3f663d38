import './choose-button.css';

/** The button that sends the answer of a view; it waits until something is picked. */
export function ChooseButton({ label, ready }: { readonly label: string; readonly ready: boolean }) {
  return (
    <button className="choose" type="submit" disabled={!ready}>
      {label}
    </button>
  );
}
