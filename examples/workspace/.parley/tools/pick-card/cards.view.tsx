import { useDraft, usePrimaryAction, type ViewProps } from 'parley-mcp/webview';
import { type FormEvent, useId } from 'react';
import { type Card, nameOf } from './deck.ts';
import './cards.css';

const SIGNS = { spades: '♠', hearts: '♥', diamonds: '♦', clubs: '♣' };

/** Cards face down. Responds with the place of the picked one, 1 for the first from the left. */
export function CardTable({ count, onRespond }: ViewProps<{ readonly count: number }, number>) {
  const [picked, setPicked] = useDraft<number | null>('picked', null);
  const id = useId();

  const answer = () => {
    if (picked !== null) onRespond(picked);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    answer();
  };
  const choose = usePrimaryAction(picked === null ? 'Pick a card' : `Turn over card ${picked}`, answer, {
    disabled: picked === null,
  });

  return (
    <form className="deck" onSubmit={submit}>
      <div className="deck-table" role="radiogroup" aria-label="Cards, face down">
        {Array.from({ length: count }, (_, index) => index + 1).map((position) => (
          <label key={position} className="deck-back">
            <input
              className="deck-radio"
              type="radio"
              name={id}
              checked={picked === position}
              onChange={() => setPicked(position)}
              aria-label={`Card ${position}`}
            />
          </label>
        ))}
      </div>
      {choose}
    </form>
  );
}

/** One card face up. */
export function CardFace({ card }: { readonly card: Card }) {
  return (
    <div className={`deck-face deck-${card.suit}`} role="img" aria-label={nameOf(card)}>
      <span>{card.rank}</span>
      <span className="deck-sign">{SIGNS[card.suit]}</span>
      <span className="deck-corner">{card.rank}</span>
    </div>
  );
}
