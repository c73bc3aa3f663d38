import { type Pause, pressAction } from '../../src/panel-port/index.ts';
import { usePage } from '../page/page-context.ts';
import { Banner } from '../parts/banner.tsx';
import { Button } from '../parts/button.tsx';
import { Text } from '../parts/text.tsx';

/** Why a call does not simply go on, and what can be done about it. */
export function PauseBanner({ pause }: { pause: Pause }) {
  const page = usePage();
  return (
    <Banner kind="info" news>
      <Text>{pause.message}</Text>
      {pause.actions && pause.actions.length > 0 && (
        <div className="buttons">
          {pause.actions.map(({ id, label, primary }) => (
            <Button key={id} secondary={!primary} onClick={() => page.post(pressAction({ id }))}>
              {label}
            </Button>
          ))}
        </div>
      )}
    </Banner>
  );
}
