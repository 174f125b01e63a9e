import Testing

@testable import PipelineCommand

@Suite("The help")
struct HelpTextTests {
    @Test("The help of a command lists its options")
    func serve() {
        #expect(
            HelpText.text(for: .serve) == """
                usage: pipeline-run serve [OPTION…] FILE

                  serve the file's examples on loopback until stopped

                Values
                      --var NAME=VALUE           give a variable a value: a string, or any JSON after NAME:=
                      --secret NAME=VALUE        the same, masked in all output
                      --vars-file FILE           take values from a file: a JSON object, or lines of NAME=VALUE

                Output
                      --color auto|always|never  auto heeds NO_COLOR, CI, TERM=dumb and pipes

                Files
                      --file-root DIR            where named files may be; the pipeline's folder by default
                      --config FILE              take options from this file, not from the usual one
                      --no-config                take options from no file
                      --port N                   where serve listens on 127.0.0.1; a free port by default

                General
                  -h, --help                     show this, or the options of a command
                      --version                  print the version

                """)
    }

    @Test("The overview names every command and every option that works, and no other")
    func overview() {
        let text = HelpText.text(for: nil)
        for command in Subcommand.allCases {
            #expect(text.contains("\n  \(command.rawValue)"), "\(command)")
        }
        for option in OptionTable.all {
            let name = option.names[0]
            #expect(text.contains("\(name) "), "\(name)")
        }
        #expect(text.contains("130, 143"))
    }

    @Test("No line is wider than a terminal of 100 columns")
    func width() {
        for command in Subcommand.allCases.map(Optional.some) + [nil] {
            for line in HelpText.text(for: command).split(separator: "\n") {
                #expect(line.count <= 100, "\(line)")
            }
        }
    }

    @Test("No option is written like another one")
    func names() {
        let names = OptionTable.all.flatMap(\.names)
        #expect(Set(names).count == names.count)
    }
}
