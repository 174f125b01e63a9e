import PipelineCore

/// The style of the page, and its sum, by which the page's policy allows it.
struct HTMLStyle {
    fileprivate let bytes: [UInt8]
    /// SHA-256 in Base64 (Content Security Policy, level 3, section 6.7.2.8).
    let sum: String

    /// - Parameter run: How long its files took: the bars of a file are as wide as its whole run.
    init(_ run: ReportedRun) {
        var writer = HTMLWriter()
        writer.markup(Self.rules)
        for summary in run.files {
            writer.number(summary.file.number, in: "\n#f", "{--t:")
            writer.number(max(1, Int(summary.duration.wholeMicroseconds)), in: "", "}")
        }
        bytes = writer.finished()
        sum = Base64.encode(SHA256.bytes(bytes))
    }

    private static let rules: StaticString = """
        :root{--bg:#fff;--fg:#1f2328;--dim:#59636e;--line:#d8dee4;--soft:#f6f8fa;--ok:#1a7f37;\
        --no:#cf222e;--link:#0969da;--warn:#9a6700;--nobg:#ffebe9;--pq:#afb8c1;--pd:#1b9e9e;\
        --pc:#e08a1e;--pt:#a855c8;--ps:#7d8590;--pw:#3fa35a;--pr:#3b82d6}
        @media (prefers-color-scheme:dark){:root{--bg:#0d1117;--fg:#e6edf3;--dim:#9198a1;\
        --line:#30363d;--soft:#161b22;--ok:#3fb950;--no:#f85149;--link:#4493f8;--warn:#d29922;\
        --nobg:#2d1416;--pq:#57606a;--pd:#2bb5b5;--pc:#e59a3c;--pt:#bc7ad8;--ps:#8b949e;\
        --pw:#46b066;--pr:#5598e8}}
        *{box-sizing:border-box}
        html{-webkit-text-size-adjust:100%}
        body{margin:0 auto;padding:1.25rem;max-width:80rem;background:var(--bg);color:var(--fg);\
        font:15px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif}
        h1{margin:0;font-size:1.6rem;line-height:1.25}
        h2{margin:2rem 0 0;font-size:1.2rem;overflow-wrap:anywhere}
        h3{margin:1rem 0 .25rem;font-size:1rem;font-weight:600;overflow-wrap:anywhere}
        h3 span{font-weight:400;color:var(--dim)}
        p{margin:.25rem 0;overflow-wrap:anywhere}
        a{color:var(--link)}
        ul,ol,dl{margin:.5rem 0;padding:0;list-style:none}
        header{border-left:6px solid var(--ok);padding-left:1rem}
        header.bad{border-color:var(--no)}
        header.bad h1{color:var(--no)}
        .counts{display:flex;flex-wrap:wrap;gap:.5rem}
        .counts li{padding:.1rem .7rem;border:1px solid var(--line);border-radius:1rem;\
        background:var(--soft)}
        .counts .ok b{color:var(--ok)}
        .counts .no b{color:var(--no)}
        .files span,.meta,.legend,.place,.times,footer{color:var(--dim)}
        .files li{padding-left:1.2em;text-indent:-1.2em;overflow-wrap:anywhere}
        .files li::before{content:"✓ ";color:var(--ok)}
        .files .bad::before{content:"✗ ";color:var(--no)}
        .legend,.place,.times,.meta,footer{font-size:.87em}
        .legend{display:flex;flex-wrap:wrap;gap:.2rem .9rem}
        .warning{color:var(--warn)}
        .failures{padding:.6rem .9rem;border-radius:6px;background:var(--nobg)}
        .failures li{overflow-wrap:anywhere}
        .failures a{font-weight:600}
        .rows{margin-top:.75rem;border:1px solid var(--line);border-radius:6px;overflow:hidden}
        .r{content-visibility:auto;contain-intrinsic-size:auto 2.3rem}
        .r+.r{border-top:1px solid var(--line)}
        .l{display:grid;grid-template-columns:1.1em minmax(6em,13em) 4.6em minmax(0,1fr) 7.5em \
        4.5em 27%;gap:0 .7em;align-items:center;padding:.4rem .8rem;min-height:2.3rem}
        summary{cursor:pointer}
        summary.l{list-style:none}
        summary.l::-webkit-details-marker{display:none}
        summary.l:hover{background:var(--soft)}
        summary:focus-visible{outline:2px solid var(--link);outline-offset:-2px}
        .l i{font-style:normal;font-weight:700;color:var(--dim)}
        .ok>.l i{color:var(--ok)}
        .no>.l i,.no>.l .s{color:var(--no)}
        .no>.l{background:var(--nobg)}
        .l .n{font-weight:600}
        .l .m,.l .u,.l .s,.l .t{font-size:.9em}
        .l .n,.l .m,.l .u,.l .s{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
        .l .u{color:var(--dim)}
        .l .t{text-align:right;font-variant-numeric:tabular-nums}
        .ca>.l,.sk>.l{color:var(--dim)}
        .ca>.l .s,.sk>.l .s{grid-column:5/-1}
        svg{display:block}
        .legend svg{display:inline}
        .w,.v{width:100%;height:12px;border-radius:2px;background:var(--soft)}
        .w g{transform:scaleX(calc(1000/var(--t)))}
        .v{height:14px;margin:.3rem 0;border:1px solid var(--line)}
        rect{stroke-width:1px;vector-effect:non-scaling-stroke}
        .pq{fill:var(--pq)}
        .pd{fill:var(--pd)}
        .pc{fill:var(--pc)}
        .pt{fill:var(--pt)}
        .ps{fill:var(--ps)}
        .pw{fill:var(--pw);stroke:var(--pw)}
        .pr{fill:var(--pr)}
        .pi{fill:var(--no);stroke:var(--no)}
        .d{padding:.3rem .9rem 1rem 2.6rem}
        .d summary{width:fit-content;color:var(--link)}
        .finding{margin:.5rem 0;padding-left:.8rem;border-left:3px solid var(--no)}
        .finding>p:first-child{font-weight:600}
        .sides{display:grid;grid-template-columns:1fr 1fr;gap:0 1rem;margin:.5rem 0}
        .sides>div{min-width:0}
        .sides p:first-child{color:var(--dim);font-size:.87em}
        .side{margin:.1rem 0;white-space:pre-wrap;overflow-wrap:anywhere}
        .expectations{display:flex;flex-wrap:wrap;gap:.1rem 1rem;font-size:.87em}
        .expectations .ok{color:var(--ok)}
        .expectations .no{color:var(--no)}
        .expectations bdi{color:var(--fg);overflow-wrap:anywhere}
        .x{margin:.7rem 0}
        .x1 span{color:var(--dim)}
        pre,table{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",\
        monospace}
        pre{margin:.4rem 0;padding:.6rem .8rem;max-height:32rem;overflow:auto;border-radius:6px;\
        background:var(--soft);direction:ltr;unicode-bidi:isolate;tab-size:4}
        .curl,.body,.difference{white-space:pre-wrap;overflow-wrap:anywhere}
        .difference{color:var(--no)}
        table{border-collapse:collapse;margin:.3rem 0}
        th,td{padding:.05rem .8rem .05rem 0;text-align:left;vertical-align:top;font-weight:400;\
        overflow-wrap:anywhere}
        th{color:var(--dim);min-width:8em;max-width:18em}
        .captures{display:grid;grid-template-columns:minmax(4em,max-content) 1fr;gap:0 .9rem}
        dt{color:var(--dim);overflow-wrap:anywhere}
        dd{margin:0;overflow-wrap:anywhere;white-space:pre-wrap}
        footer{margin-top:2rem}
        @media (max-width:46rem){
        body{padding:.8rem}
        .l{grid-template-columns:1.1em auto minmax(0,1fr) auto;padding:.5rem .6rem}
        .l .n{grid-area:1/2/2/4;white-space:normal;overflow-wrap:anywhere}
        .l .t{grid-area:1/4}
        .l .m{grid-area:2/2}
        .l .u{grid-area:2/3}
        .l .s{grid-area:2/4;text-align:right}
        .ca>.l .s,.sk>.l .s{grid-area:3/2/4/5;text-align:left}
        .l .w{grid-area:3/1/4/5;margin-top:.3rem}
        .d{padding:.3rem .6rem 1rem}
        .sides{grid-template-columns:1fr}
        th,td{display:block;max-width:none}
        td{padding:0 0 .2rem 1rem}
        }
        @media print{
        :root{--bg:#fff;--fg:#000;--dim:#444;--line:#bbb;--soft:#f4f4f4;--nobg:#fff}
        body{max-width:none;padding:0;font-size:11px}
        pre{max-height:none;white-space:pre-wrap;overflow-wrap:anywhere}
        .r{content-visibility:visible}
        .l,.finding{break-inside:avoid}
        svg{print-color-adjust:exact;-webkit-print-color-adjust:exact}
        a{color:inherit}
        }
        """
}

extension HTMLWriter {
    mutating func markup(_ style: HTMLStyle) { bytes += style.bytes }
}
