// The thread that processes texts from the web, where some texts act like defects of the scanner.
import './content-traps.ts';
import '../src/content/content-thread.ts';
