// The list of the dashboard's keys.
import { Button } from '../components/basics.tsx';
import { Dialog } from '../components/dialog.tsx';

const otherKeys = [
  [['/'], 'Go to the search of this page'],
  [['J', 'K'], 'Next and previous row of a list'],
  [['Enter'], 'Open the row'],
  [['J', 'K', '←', '→'], 'In an open detail: the next and the previous one'],
  [['Esc'], 'Close a detail or a dialog'],
  [['?'], 'This list'],
] as const;

export function ShortcutHelp({ menuKeys, onClose }: { menuKeys: string; onClose: () => void }) {
  const keys = [[[menuKeys], 'Search, go to a page, or run a command'], ...otherKeys] as const;
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="shortcuts">
        {keys.map(([pressed, meaning]) => (
          <div key={meaning}>
            <dt>
              {pressed.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p className="small soft">While you type in a field, these keys write.</p>
      <div className="row">
        <Button onPress={onClose}>Close</Button>
      </div>
    </Dialog>
  );
}
