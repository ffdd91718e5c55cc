// Pages about software: databases, security, language models, the web and how teams work.
import type { SourcePage } from './page.ts';

export const software: SourcePage[] = [
  {
    url: 'https://blog.devpress.example/databases/write-ahead-log',
    title: 'What a write-ahead log promises, and what it does not',
    author: 'Yuki Tanabe',
    published: '2026-02-18',
    language: 'en',
    country: 'JP',
    topics: ['software'],
    kind: 'article',
    links: ['https://devpress.example/reference/fsync'],
    body: `
A database that answers "committed" makes a promise: the change survives a power cut. The
write-ahead log is how it keeps the promise without rewriting the whole file for each change.

## The idea

Before a page is changed on disk, a short record of the change is appended to the log and the log
is forced to stable storage. After a crash the log is replayed from the last checkpoint. Appending
is fast, as the disk need not seek.

## Group commit

Forcing the log takes a millisecond or more. If a hundred transactions wait for one flush they
share its cost. On our test machine a single writer reached 900 commits a second and sixty-four
writers 31,000.

## The fine print

The promise ends where the disk begins. Some drives report a flush as done while data is still in
their memory. Network file systems differ. And a log protects against crashes, not against
mistakes: a deleted table is deleted durably.

## Test it

Pull the plug, for real or in a virtual machine, a few hundred times while a client notes every
commit it was told of. Then compare. We found two bugs in our own settings that way within one
afternoon.`,
  },
  {
    url: 'https://devpress.example/reference/fsync',
    title: 'fsync: forcing written data to stable storage',
    published: '2024-05-02',
    language: 'en',
    country: 'US',
    topics: ['software'],
    kind: 'reference',
    body: `
The call \`fsync\` asks the operating system to write all changed data of a file to the device and
to wait until the device reports completion. Without it, data may stay in memory for tens of
seconds.

## Variants

| Call | Data | Metadata | Remark |
|---|---|---|---|
| fsync | yes | yes | the safe choice |
| fdatasync | yes | only what is needed to read the data | often one write fewer |
| sync_file_range | partly | no | no promise after a crash |

## A new file needs two calls

Creating a file changes its directory too. To be sure that the file is there after a crash, sync
the file first and then the directory that holds it.

## When it fails

If \`fsync\` reports an error the state of the data is unknown, and calling it again may report
success although the data is lost. The only safe reaction is to stop, and to recover from the log
on restart.

## Cost

A consumer drive needs 0.5 to 5 milliseconds, a drive with power-loss protection 0.05. Programs
that must be durable therefore collect several changes and sync once.`,
  },
  {
    url: 'https://blog.devpress.example/apis/idempotency-keys',
    title: 'Idempotency keys: making retries safe when money is involved',
    author: 'Adaeze Nwosu',
    published: '2025-07-15',
    language: 'en',
    country: 'NG',
    topics: ['software', 'finance'],
    kind: 'article',
    body: `
A client sends a payment and hears nothing. Was it done? If the client sends it again it may pay
twice, and if it does not it may not pay at all. An idempotency key settles the matter: the client
invents a name for the operation and sends it along with every try.

## On the server

Store the key before doing anything else, with a fingerprint of the request. A second request with
the same key finds the row. If the work is finished it gets the stored answer; if it is still
running it is told so; if the fingerprint differs the client has made a mistake and must hear
about it.

## Three traps

- Storing the key after the work: a crash in between loses exactly the case that matters.
- Storing it in a cache that forgets under memory pressure.
- Treating a timeout from the bank as a failure, when nothing is known until somebody asks.

## How long to keep them

A day covers automatic retries, a week covers a weekend of human ones. We delete keys after 72
hours and have replayed 0.04 percent of all payments since 2022, every one of them a double charge
that did not happen.`,
  },
  {
    url: 'https://papers.meridian.example/2026/retrieval-fusion',
    title: 'Rank fusion of heterogeneous search engines: when agreement helps',
    author: 'V. Castellanos, I. Brandt',
    published: '2026-08-12',
    language: 'en',
    country: 'ES',
    topics: ['software'],
    kind: 'paper',
    body: `
## Abstract

Merging the result lists of several search engines is an old idea with new relevance, since
programs now ask more questions than people. We study when agreement between engines predicts
relevance, on 4,200 queries judged by hand and lists from seven engines.

## Findings

A page returned by three or more engines was judged relevant in 81 percent of cases, one returned
by a single engine in 34. Reciprocal rank fusion beat every learned method we tried once fewer
than 2,000 training queries were available. Its constant hardly matters: values from 20 to 100
differ by less than 0.4 points.

## When it fails

Engines that share a crawl agree for the wrong reason. Counting two engines with the same index as
one voice raised precision by 3 points. For rare names, the single engine that finds the page is
right more often than not, so dropping pages without agreement harms exactly the hardest queries.

## Recommendation

Keep the first three results of each engine whatever the others say, then order by agreement. This
simple rule kept 97 percent of the best page's visibility and cost nothing to run.`,
  },
  {
    url: 'https://blog.devpress.example/security/dependency-audit',
    title: 'We removed 400 dependencies: an audit diary',
    author: 'Oskar Lund',
    published: '2026-06-19',
    language: 'en',
    country: 'SE',
    topics: ['software'],
    kind: 'article',
    body: `
Our web shop installed 1,312 packages from 640 authors. After a poisoned release made the news in
March we asked a plain question of each one: what would break without you?

## What we found

A third were tools of tools. Forty-one packages did something the language has done itself for
years, such as padding a string. Six had not been touched since 2016. One had changed owners and
nobody had noticed.

## What we did

We deleted 214 outright, replaced 120 small ones by about 900 lines of our own, and got rid of the
rest by dropping a build tool. Install scripts are now off, versions are pinned, and an update
waits seven days before it reaches us.

## What it cost and gave

Two people worked for three weeks. The build went from six minutes to ninety seconds, and the
security scanner's list shrank from 57 warnings to 4, all of which somebody has read.

## What we kept

We did not rewrite anything difficult. Cryptography, time zones, parsers of other people's formats
and the database driver are better in the hands of those who do nothing else.`,
  },
  {
    url: 'https://news.harbourpost.example/2026/speech-models-court',
    title: 'Court to use automatic transcripts, with a human in the room',
    author: 'Priya Raman',
    published: { days_ago: 1.5 },
    language: 'en',
    country: 'US',
    topics: ['software', 'cities'],
    kind: 'news',
    body: `
Four county courts will use automatic speech-to-text for their records from January, after a trial
in which the software made fewer errors than the previous service but worse ones.

## The trial

Over six months 1,100 hearings were transcribed twice. The software got 3.1 words in a hundred
wrong, the human service 3.8. Yet the software's errors changed the meaning more often: it dropped
the word "not" 46 times, the humans nine times.

## The compromise

A trained reader will follow every hearing live, mark doubtful passages and listen to them again.
Audio is kept for ten years, and either party may ask for a correction within 30 days. The state
saves about 2.2 million dollars a year and the 31 stenographers keep their posts as readers.

## Criticism

Public defenders point out that accents from the county's largest minority had an error rate of
6.4. The supplier has promised an update; the judges will review the figures in the summer.`,
  },
  {
    url: 'https://devpress.example/guides/postgres-queues',
    title: 'A job queue in PostgreSQL: claim, lease, finish',
    author: 'Adaeze Nwosu',
    published: '2024-11-14',
    language: 'en',
    country: 'NG',
    topics: ['software'],
    kind: 'article',
    links: ['https://blog.devpress.example/databases/write-ahead-log'],
    body: `
You may not need a separate queue. If jobs already live in PostgreSQL, a few columns and one
statement turn the table into a dependable queue for thousands of jobs a second.

## Claiming

Workers select the oldest job that is due, lock it and skip rows that others have locked. The same
statement writes the worker's name and a lease that ends in thirty seconds. Because it is one
statement, two workers can never claim the same job.

## Working

While it works, the worker renews its lease every ten seconds. If it dies the lease runs out and
another worker takes over. The job must therefore tolerate being started twice, or record each
step before taking it.

## Finishing

Results and the new state are written in one transaction, and only if the lease still belongs to
the worker. A late result from a slow worker is discarded rather than allowed to overwrite a newer
one.

## Limits

Above roughly 5,000 claims a second the table's own maintenance becomes the bottleneck. Delete or
move finished jobs, keep payloads small, and watch for transactions that stay open for minutes.`,
  },
  {
    url: 'https://blog.devpress.example/teams/on-call-without-dread',
    title: 'On-call without dread: ten rules from a small team',
    author: 'Oskar Lund',
    language: 'en',
    country: 'SE',
    topics: ['software', 'health'],
    kind: 'article',
    body: `
Five of us look after a service with two million users. In the first year we were woken 140 times.
Last year it was eleven. These are the rules that made the difference.

## Before the alarm

- An alarm must name what the user suffers, not what the machine feels.
- Every alarm links to a page that says what to do first.
- Two false alarms and it is deleted or repaired the next morning, before anything else.
- Nobody is on call in the week after a birth, a funeral or a move.

## During

- The first task is to tell users, the second is to stop the damage, the third is to understand.
- Rolling back needs no permission.
- After ninety minutes a second person is called, whether or not help seems necessary.

## After

- Whoever was woken starts late and says so in the calendar.
- The review asks how the system let it happen, and never who.
- One repair from each review is done within a week, or the review was a waste of time.

We pay 400 kronor for each quiet night and 1,500 for a broken one. It has made managers
surprisingly interested in alarms.`,
  },
  {
    url: 'https://late-night.example/games/poker-odds-for-adults',
    title: 'Casino night: poker odds explained for adults',
    author: 'Rory Fenwick',
    published: '2026-01-30',
    language: 'en',
    country: 'GB',
    topics: ['software', 'finance'],
    kind: 'article',
    unsafe: true,
    body: `
For readers over eighteen. Gambling is a game of arithmetic in which the arithmetic is usually
against you. Poker is the exception, as players play each other and the house takes a fee.

## Odds worth knowing by heart

| Situation after the flop | Chance to improve by the river |
|---|---|
| Four to a flush | 35 % |
| Open-ended straight | 31 % |
| Two overcards | 24 % |
| Inside straight | 17 % |

## A simulation

We let a program play ten million hands. A pair of aces before the flop beat a random hand in 85
percent of cases, two sevens in 66, and a king with a queen of the same suit in 63. Against four
opponents the aces fall to 56.

## The fee decides

At a table that takes 5 percent of each pot, a player must be clearly better than the others
merely to lose nothing. Most are not. Set a limit before sitting down, leave cards at home, and
treat the money as the price of an evening. Help lines are free and answer at night.`,
  },
];
